/** Calls the endpoints of commands in the same process. */

import type { Fields } from "../http/fields.ts";
import type { Route } from "../http/router.ts";
import { NO_LIMITS } from "../load/limits.ts";
import { Load } from "../load/load.ts";
import type { Answer } from "./bytes.ts";
import type { Command } from "./commands.ts";

/**
 * Calls the endpoint of a command with the fields of its body, or the parameters of
 * its query, without limits of size.
 *
 * @throws {HttpError} if the endpoint refuses the fields or parameters.
 */
export async function callEndpoint(
  { method, path }: Command,
  routes: readonly Route[],
  fields: Fields,
): Promise<Answer> {
  const { handler } = routes.find((route) =>
    route.method === method && route.pattern.pathname === path
  )!;
  const isGet = method === "GET";
  const query = Object.entries(fields).map(([name, value]) =>
    [name, String(value)] as [string, string]
  );
  const isStopping = () => false;
  const request = new Request("http://localhost/");
  const response = await handler(request, {
    request,
    path,
    query: isGet ? String(new URLSearchParams(query)) : "",
    fields: isGet ? undefined : fields,
    load: new Load({
      limits: NO_LIMITS,
      maxBodyBytes: Infinity,
      bodyTimeoutMs: Infinity,
      isStopping,
    }),
    isStopping,
  });
  return await response.json();
}
