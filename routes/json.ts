/**
 * `POST /api/json`: formats, minifies or validates a JSON text without loss (RFC 8259).
 *
 * ```
 * {"action": "minify", "input": "[1.0, 1e400]"}
 *   →  {"result": "[1.0,1e400]", "valid": true}
 * ```
 *
 * @module
 */

import { HttpError } from "../lib/http_error.ts";
import { type Fields, readChoice, readString } from "../lib/http/fields.ts";
import { readJsonObject } from "../lib/http/json_body.ts";
import { JsonTextError } from "../lib/json/error.ts";
import { formatJson, JsonSizeError, minifyJson } from "../lib/json/rewrite.ts";
import { scanForError } from "../lib/json/scan.ts";
import type { JsonWriter } from "../lib/json/writer.ts";
import type { Context } from "../lib/http/router.ts";
import { sendJsonText, sendWritten } from "../lib/http/json_response.ts";
import { runLarge } from "../lib/load/load.ts";
import type { Work } from "../lib/work.ts";

const ACTIONS = ["format", "minify", "validate"] as const;
const INDENTS = [2, 4] as const;

/** Largest result of `format`, in bytes: 8 MiB. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** Answers with the formatted or minified text, or with the result of the validation. */
export function json(_request: Request, context: Context): Promise<Response> {
  return readJsonObject(context, ["action", "indent", "input"], answer);
}

async function answer(
  fields: Fields<"action" | "indent" | "input">,
  context: Context,
): Promise<Response> {
  const action = readChoice(fields, "action", { choices: ACTIONS });
  const indent = readChoice(fields, "indent", {
    choices: INDENTS,
    fallback: 2,
  });
  const input = readString(fields, "input");
  if (action === "validate") {
    const error = await runLarge(context, scanForError(input));
    const valid = error === undefined;
    const result = error ?? "valid JSON";
    return sendJsonText(JSON.stringify({ result, valid }), context);
  }
  const work = (output: JsonWriter) =>
    action === "minify"
      ? minifyJson(input, output)
      : formatJson(input, { indent, maxBytes: MAX_RESULT_BYTES, output });
  try {
    return await sendWritten(
      context,
      (output) => writeResult(work(output), output),
    );
  } catch (error) {
    if (error instanceof JsonTextError) {
      throw new HttpError(400, `"input" must be JSON: ${error.message}`);
    }
    if (error instanceof JsonSizeError) {
      throw new HttpError(
        400,
        `"input" must be JSON that is not too large when it is formatted: ${error.message}`,
      );
    }
    throw error;
  }
}

/**
 * Writes the JSON object of the response to `output`. `work` writes the value of its member
 * `result`.
 */
function* writeResult(work: Work<void>, output: JsonWriter): Work<void> {
  output.write('{"result":"');
  yield* work;
  output.write('","valid":true}');
}
