/** Calls the endpoints of commands in the same process. */

import type { Fields } from "../http/fields.ts";
import { toResponse } from "../http/answer.ts";
import { doNotPause, NO_BODY, type Route } from "../http/router.ts";
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
  const answer = await handler(new Request("http://localhost/"), {
    path,
    query: isGet ? String(new URLSearchParams(query)) : "",
    body: NO_BODY,
    fields: isGet ? undefined : fields,
    maxBodyBytes: Infinity,
    isStopping: () => false,
    pause: doNotPause,
  });
  return await toResponse(answer).json();
}
