/** The operations: each is an endpoint, a tool for agents and a command in a terminal. */

import type { Operation } from "../lib/operation/operation.ts";

/**
 * Functions that load the modules of operations, by the name of the operation, in the order
 * of the help, the tools and the OpenAPI description. A terminal command loads only the
 * module of its operation, so that it starts fast.
 */
const MODULES = {
  base64: () => import("./base64.ts"),
  hash: () => import("./hash.ts"),
  uuid: () => import("./uuid.ts"),
  password: () => import("./password.ts"),
  json: () => import("./json.ts"),
} as const;

/** Loads an operation. Returns `undefined` if no operation has this name. */
export async function loadOperation(
  name: string,
): Promise<Operation | undefined> {
  if (!Object.hasOwn(MODULES, name)) return undefined;
  const module = await MODULES[name as keyof typeof MODULES]();
  return module.default;
}

/** Loads all operations, in the order of `MODULES`. */
export async function loadOperations(): Promise<readonly Operation[]> {
  const modules = await Promise.all(
    Object.values(MODULES).map((load) => load()),
  );
  return modules.map((module) => module.default);
}
