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

import { freeBuffer } from "../lib/buffer.ts";
import { HttpError } from "../lib/http/http_error.ts";
import { readChoice, readString } from "../lib/http/fields.ts";
import { readFields } from "../lib/http/json_body.ts";
import type { Answer } from "../lib/http/answer.ts";
import type { Context } from "../lib/http/router.ts";
import { JsonTextError } from "../lib/json/error.ts";
import {
  JsonSizeError,
  measureResult,
  rewriteText,
} from "../lib/json/rewrite.ts";
import { encodeText, scanText } from "../lib/json/scan.ts";

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
  await context.pause();
  const text = encodeText(input);
  try {
    const scan = scanText(text);
    if (action === "validate") return { result: "valid JSON", valid: true };
    const isFormat = action === "format";
    const options = {
      indent: isFormat ? indent : 0,
      maxBytes: isFormat ? MAX_RESULT_BYTES : Infinity,
      before: '{"result":"',
      after: '","valid":true}',
    };
    await context.pause(measureResult(scan, options));
    return rewriteText(scan, options);
  } catch (error) {
    if (error instanceof JsonTextError) {
      const { message } = error;
      if (action === "validate") return { result: message, valid: false };
      throw new HttpError(400, `"input" must be JSON: ${message}`);
    }
    if (!(error instanceof JsonSizeError)) throw error;
    throw new HttpError(
      400,
      `"input" must be JSON that is not too large when it is formatted: ${error.message}`,
    );
  } finally {
    // The next large request takes this memory: new memory would cost more than the scan.
    freeBuffer(text.buffer);
  }
}
