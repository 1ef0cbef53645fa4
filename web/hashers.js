/**
 * Digests of data that comes in pieces, by WebAssembly; over plain HTTP also
 * those of texts, for which other pages have Web Crypto.
 * @module
 */

/** @typedef {import("../tools/hash_wasm.js")} Library */

let loading = /** @type {Promise<Library> | undefined} */ (undefined);

/** Loads the package, once. */
export function loadHashers() {
  // @ts-types="../tools/hash_wasm.js"
  return loading ??= import("./vendor/hash_wasm.js");
}

/**
 * Creates a hasher for each algorithm, by its name in Web Crypto.
 * @throws {DOMException} `NetworkError` if the package cannot be loaded,
 * `NotSupportedError` if the browser permits no WebAssembly.
 */
export async function createHashers() {
  const library = await loadHashers().catch(() => {
    throw new DOMException("", "NetworkError");
  });
  try {
    return new Map([
      ["SHA-1", await library.createSHA1()],
      ["SHA-256", await library.createSHA256()],
      ["SHA-512", await library.createSHA512()],
    ]);
  } catch {
    throw new DOMException("", "NotSupportedError");
  }
}

/**
 * Adds what pages over plain HTTP lack of Web Crypto, except those from
 * localhost.
 */
export function completeCrypto() {
  if (crypto.subtle) return;
  Object.defineProperties(crypto, {
    subtle: { value: { digest } },
    randomUUID: { value: createUuid },
  });
}

/**
 * @param {string} algorithm
 * @param {Uint8Array} bytes
 */
async function digest(algorithm, bytes) {
  const hasher = (await createHashers()).get(algorithm);
  return hasher?.init().update(bytes).digest("binary").buffer;
}

/** Returns a UUID of version 4 (RFC 9562, section 5.4). */
function createUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = Number(bytes[6]) & 0x0f | 0x40;
  bytes[8] = Number(bytes[8]) & 0x3f | 0x80;
  return bytes.toHex().replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
