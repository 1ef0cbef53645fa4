/** The operations. Each is available as an endpoint, an agent tool, and a terminal command. */

import type { Operation } from "../lib/operation/operation.ts";

/** In display order. A command starts fast because it loads only the operation that it runs. */
const MODULES = {
  base64: () => import("./base64.ts"),
  hash: () => import("./hash.ts"),
  uuid: () => import("./uuid.ts"),
  password: () => import("./password.ts"),
  json: () => import("./json.ts"),
} as const;

export async function loadOperation(
  name: string,
): Promise<Operation | undefined> {
  if (!Object.hasOwn(MODULES, name)) return undefined;
  const module = await MODULES[name as keyof typeof MODULES]();
  return module.default;
}

export async function loadOperations(): Promise<readonly Operation[]> {
  const modules = await Promise.all(
    Object.values(MODULES).map((load) => load()),
  );
  return modules.map((module) => module.default);
}
