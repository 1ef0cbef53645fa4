/**
 * `GET /openapi.json`: the OpenAPI 3.1 description of the service.
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { createStaticHandler } from "../lib/http/static.ts";
import description from "./openapi.json" with { type: "json" };

const { version } = config;
const versioned = { ...description, info: { ...description.info, version } };

/** Answers with the OpenAPI description. Its `info.version` is the version of this service. */
export const openapi = createStaticHandler(
  JSON.stringify(versioned, null, 2),
  { "content-type": "application/json" },
);
