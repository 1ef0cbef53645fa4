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
import { readChoice, readString } from "../lib/http/fields.ts";
import { readFields } from "../lib/http/json_body.ts";
import { JsonTextError } from "../lib/json/error.ts";
import { formatJson, JsonSizeError, minifyJson } from "../lib/json/rewrite.ts";
import { scanForError } from "../lib/json/scan.ts";
import { JsonWriter } from "../lib/json/writer.ts";
import type { Answer } from "../lib/http/answer.ts";
import type { Context } from "../lib/http/router.ts";

const ACTIONS = ["format", "minify", "validate"] as const;
const INDENTS = [2, 4] as const;

/** Largest result of `format`, in bytes: 8 MiB. */
export const MAX_RESULT_BYTES = 8 * 1024 * 1024;

/** Answers with the formatted or minified text, or with the result of the validation. */
export async function json(
  _request: Request,
  context: Context,
): Promise<Answer> {
  const fields = readFields(context, ["action", "indent", "input"]);
  const action = readChoice(fields, "action", { choices: ACTIONS });
  const indent = readChoice(fields, "indent", {
    choices: INDENTS,
    fallback: 2,
  });
  const input = readString(fields, "input");
  if (action === "validate") {
    const work = scanForError(input);
    let step = work.next();
    for (; !step.done; step = work.next()) await context.pause();
    const error = step.value;
    const valid = error === undefined;
    return { result: error ?? "valid JSON", valid };
  }
  using output = new JsonWriter();
  try {
    output.write('{"result":"');
    const work = action === "minify"
      ? minifyJson(input, output)
      : formatJson(input, { indent, maxBytes: MAX_RESULT_BYTES, output });
    for (const _part of work) {
      output.resume();
      await context.pause();
    }
    output.write('","valid":true}');
    return output.join();
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
