/**
 * `POST /api/json`: formats, minifies or validates a JSON text without loss (RFC 8259).
 *
 * @module
 */

import { JsonTextError } from "../lib/json/error.ts";
import {
  JsonSizeError,
  measureResult,
  rewriteText,
} from "../lib/json/rewrite.ts";
import { encodeText, scanText } from "../lib/json/scan.ts";
import { InputError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { choice, text } from "../lib/operation/parameters.ts";

export const json = defineOperation({
  method: "POST",
  name: "json",
  summary: "Format, minify or validate JSON",
  description:
    "Strict RFC 8259. `format` and `minify` change the white space between tokens and nothing else, and answer 400 if the text is not JSON. `validate` answers 200 for valid and invalid text. The position of an error is the first character that cannot continue a JSON text.",
  tool: {
    name: "processJson",
    description:
      "Format (indent), minify or validate a JSON text. Use it instead of retyping JSON, which loses digits and characters: only white space between tokens changes, numbers, escapes, duplicate keys and key order stay (keys cannot be sorted). Strict RFC 8259. `format` and `minify` fail on invalid JSON and say where; `validate` returns `valid` and, in `result`, the error.",
  },
  parameters: {
    action: choice(["format", "minify", "validate"]),
    input: text({
      description: "The JSON text. The result of `format` has at most 8 MiB.",
      toolDescription:
        'The JSON document as a string, unparsed: `"{\\"a\\":1}"`, not `{"a":1}`.',
    }),
    indent: choice([2, 4], {
      default: 2,
      description:
        "For `format`: spaces for each level of nesting; 2 by default.",
    }),
  },
  result: {
    result: {
      type: "string",
      description:
        "The formatted or minified text; for `validate`, `valid JSON` or the error.",
    },
    valid: { type: "boolean", description: "Whether the input is valid JSON." },
  },
  examples: {
    format: [{ action: "format", input: '{"b":1.0,"a":[]}', indent: 4 }, {
      result: '{\n    "b": 1.0,\n    "a": []\n}',
      valid: true,
    }],
    minify: [{ action: "minify", input: "[ 1e400 ]" }, {
      result: "[1e400]",
      valid: true,
    }],
    validate: [{ action: "validate", input: "[1,]" }, {
      result: 'expected a JSON value, got "]" at line 1, column 4',
      valid: false,
    }],
  },
  errors: {
    notJson: [
      { action: "format", input: "[1 2]" },
      '"input" must be JSON: expected "," or "]", got "2" at line 1, column 4',
    ],
  },
  async run({ action, input, indent }, { pause, maxResultBytes }) {
    await pause();
    const text = encodeText(input);
    try {
      const scan = scanText(text);
      if (action === "validate") return { result: "valid JSON", valid: true };
      const isFormat = action === "format";
      const options = {
        indent: isFormat ? indent : 0,
        maxBytes: isFormat ? maxResultBytes : Infinity,
        before: '{"result":"',
        after: '","valid":true}',
      };
      await pause(measureResult(scan, options));
      return rewriteText(scan, options);
    } catch (error) {
      if (error instanceof JsonTextError) {
        const { message } = error;
        if (action === "validate") return { result: message, valid: false };
        throw new InputError("input", `must be JSON: ${message}`);
      }
      if (!(error instanceof JsonSizeError)) throw error;
      const rule = "must be JSON that is not too large when it is formatted";
      throw new InputError("input", `${rule}: ${error.message}`);
    }
  },
  command: { input: "The JSON text" },
});
