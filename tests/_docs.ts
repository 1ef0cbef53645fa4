/** The HTML of `/docs`, and the calls that it shows. */

import { createHandler } from "../routes/mod.ts";

const handler = createHandler();

/** A call that the page shows, with its status and response. */
export interface ShownCall {
  readonly command: string;
  readonly status: number;
  readonly response: string;
}

/** Requests the page. */
export async function getDocs(
  { path = "/docs", host = "localhost:8000", ...headers }: Readonly<
    Record<string, string>
  > = {},
): Promise<Response> {
  return await handler(
    new Request(`http://localhost:8000${path}`, {
      headers: { host, ...headers },
    }),
  );
}

/** Reads the calls from the HTML of the page. */
export function readCalls(html: string): ShownCall[] {
  const pattern =
    /<pre><code>([^<]*)<\/code><\/pre>\s*<pre><b>(\d+)<\/b> <samp>([^<]*)<\/samp><\/pre>/g;
  return [...html.replaceAll(' translate="no"', "").matchAll(pattern)].map((
    [, command, status, response],
  ) => ({
    command: unescapeHtml(command!),
    status: Number(status),
    response: unescapeHtml(response!),
  }));
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#123;": "{",
  "&amp;": "&",
};

function unescapeHtml(text: string): string {
  return text.replaceAll(/&[^;]*;/g, (entity) => CHARACTERS[entity]!);
}
