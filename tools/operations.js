/**
 * The parts of the service that the page uses: the operations, which it computes in a
 * worker, without Node and Deno, the comparison of digests, and quotes. Also the repair of
 * JSON.
 * `deno task vendor` bundles this module into `web/vendor/operations.js`.
 *
 * @module
 */

import base64 from "../routes/base64.ts";
import hash from "../routes/hash.ts";
import json from "../routes/json.ts";
import password from "../routes/password.ts";
import uuid from "../routes/uuid.ts";

/** @type {Readonly<Record<string, import("../lib/operation/operation.ts").Operation>>} */
export const operations = { base64, hash, json, password, uuid };

export { ALGORITHM_NAMES, findDigests } from "../lib/digest_list.ts";
export { JsonString } from "../lib/json/json_string.ts";
export { InputError } from "../lib/operation/input_error.ts";
export { noYield } from "../lib/operation/context.ts";
export { quote } from "../lib/quote.ts";
export { jsonrepair } from "jsonrepair";
