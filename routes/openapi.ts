/**
 * `GET /openapi.json`: the OpenAPI 3.1 description of the service. `openapi.json` has what
 * does not belong to one operation.
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { JSON_TYPE } from "../lib/http/answer.ts";
import { createStaticHandler } from "../lib/http/static.ts";
import { addOperations } from "../lib/http/openapi.ts";
import common from "./openapi.json" with { type: "json" };
import { loadOperations } from "./operations.ts";

const { version } = config;
const description = addOperations(await loadOperations(), {
  ...common,
  info: { ...common.info, version },
});

/** Answers with the description. Its `info.version` is the version of this service. */
export const openapi = createStaticHandler(
  JSON.stringify(description, null, 2),
  { "content-type": JSON_TYPE },
);
