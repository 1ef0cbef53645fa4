/**
 * Hashes files in chunks with WebAssembly. Over plain HTTP, where browsers have no
 * Web Crypto, also hashes text.
 * @module
 */

/** @returns {Promise<typeof import("../tools/hash_wasm.js")>} */
export async function loadHashers() {
  return /** @type {any} */ (await import("./vendor/hash_wasm.js"));
}

/**
 * Creates a hasher for each algorithm, by its name in Web Crypto.
 * @throws {DOMException} `NetworkError` if the package can't be loaded,
 * `NotSupportedError` if the browser blocks WebAssembly.
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

/** Adds the parts of Web Crypto that browsers don't have over plain HTTP. */
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
