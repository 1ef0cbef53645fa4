/**
 * `GET /openapi.json`: the OpenAPI 3.1 document, generated from the operations'
 * definitions and from `routes/openapi.json`, which contains everything else.
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
const document = addOperations(await loadOperations(), {
  ...common,
  info: { ...common.info, version },
});

export const openapi = createStaticHandler(
  `${JSON.stringify(document, null, 2)}\n`,
  { "content-type": JSON_TYPE },
);
