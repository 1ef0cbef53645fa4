/**
 * `GET /openapi.json`: the OpenAPI 3.1 description of the service. The file
 * `routes/openapi.json` has the parts that do not belong to an operation; the parts of the
 * operations are made from their definitions.
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { JSON_TYPE } from "../lib/http/response.ts";
import { createStaticHandler } from "../lib/http/static.ts";
import { addOperations } from "../lib/http/openapi.ts";
import common from "./openapi.json" with { type: "json" };
import { loadOperations } from "./operations.ts";

const { version } = config;
const description = addOperations(await loadOperations(), {
  ...common,
  info: { ...common.info, version },
});

/** Answers with the description, whose `info.version` is the version in `deno.json`. */
export const openapi = createStaticHandler(
  `${JSON.stringify(description, null, 2)}\n`,
  { "content-type": JSON_TYPE },
);
