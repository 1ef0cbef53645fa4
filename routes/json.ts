/**
 * `POST /api/json`: formats or minifies JSON without loss, or validates it (RFC 8259).
 *
 * @module
 */

import { JsonSizeError, JsonTextError } from "../lib/json/error.ts";
import { JsonString } from "../lib/json/json_string.ts";
import { checkJson, rewriteJson } from "../lib/json/rewrite.ts";
import type { Steps } from "../lib/json/scan.ts";
import type { YieldControl } from "../lib/operation/context.ts";
import { InputError, ResultSizeError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { choice, utf8 } from "../lib/operation/parameters.ts";
import { decodeValidUtf8 } from "../lib/utf8.ts";

/** The options for `minify`, whose result is never larger than the input. */
const MINIFIED = { indent: 0, maxBytes: Infinity };

export default defineOperation({
  method: "POST",
  name: "json",
  summary: "Format, minify, or validate JSON",
  description:
    "Accepts strict RFC 8259 JSON. `format` and `minify` change only whitespace between tokens, and respond with status 400 if `input` is invalid. `validate` responds with status 200 even if `input` is invalid. An error's position is the first character that cannot continue a valid JSON document.",
  tool: {
    name: "processJson",
    description:
      "Format (pretty-print), minify, or validate a JSON document. Call this instead of retyping JSON, which loses digits and characters. Only whitespace between tokens changes: numbers, escapes, key order, and duplicate keys are preserved, so this can't sort keys. `format` and `minify` fail on invalid JSON (strict RFC 8259) and report its position; `validate` returns `valid` and, in `result`, the error.",
  },
  parameters: {
    action: choice(["format", "minify", "validate"]),
    input: utf8({
      description:
        "The JSON document. The result of `format` can be at most 8 MiB.",
      commandDescription: "The JSON file.",
      toolDescription:
        'The JSON document as a string, unparsed: `"{\\"a\\":1}"`, not `{"a":1}`.',
    }),
    indent: choice([2, 4], {
      default: 2,
      description: "For `format`: spaces per nesting level.",
      toolDescription: "For `format`: spaces per nesting level, 2 or 4.",
    }),
  },
  results: {
    JsonResponse: {
      result: {
        type: "string",
        description:
          "The formatted or minified JSON. For `validate`, `valid JSON` or the error.",
      },
      valid: {
        type: "boolean",
        description: "Whether the input is valid JSON.",
      },
    },
  },
  examples: {
    format: {
      sent: { action: "format", input: '{"b":1.0,"a":[]}', indent: 4 },
      result: {
        result: '{\n    "b": 1.0,\n    "a": []\n}',
        valid: true,
      },
    },
    minify: {
      sent: { action: "minify", input: "[ 1e400 ]" },
      result: { result: "[1e400]", valid: true },
    },
    validate: {
      sent: { action: "validate", input: "[1,]" },
      result: {
        result: 'expected a JSON value, got "]" at line 1, column 4',
        valid: false,
      },
    },
  },
  errors: {
    notJson: {
      sent: { action: "format", input: "[1 2]" },
      message:
        '"input" must be JSON: expected "," or "]", got "2" at line 1, column 4',
    },
  },

  async run(
    { action, input, indent },
    { yieldControl, getMaxResultBytes, acceptsJsonString = false, onInvalid },
  ) {
    try {
      if (action === "validate") {
        await complete(checkJson(input), yieldControl);
        return { result: "valid JSON", valid: true };
      }
      const options = action === "format"
        ? { indent, maxBytes: getMaxResultBytes(input) }
        : MINIFIED;
      const steps = rewriteJson(input, {
        ...options,
        escapes: acceptsJsonString,
      });
      const json = await complete(steps, yieldControl);
      const result = acceptsJsonString
        ? new JsonString(json)
        : decodeValidUtf8(json);
      return { result, valid: true };
    } catch (error) {
      if (error instanceof JsonSizeError) {
        const { byteLength, maxBytes } = error;
        throw new ResultSizeError("input", byteLength, maxBytes);
      }
      if (!(error instanceof JsonTextError)) throw error;
      if (action !== "validate") throw toInputError(error);
      onInvalid?.(toInputError(error));
      return { result: error.message, valid: false };
    }
  },
});

/** Runs the steps of a task, and lets other requests run in between. */
async function complete<T>(
  steps: Steps<T>,
  yieldControl: YieldControl,
): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await yieldControl();
  }
}

function toInputError(error: JsonTextError): InputError {
  const { reason, line, column, offset } = error;
  return new InputError("input", `must be JSON: ${reason}`, {
    kind: "json",
    reason,
    position: { offset, lineAndColumn: { line, column } },
  });
}
