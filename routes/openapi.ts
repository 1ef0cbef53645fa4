/**
 * `GET /openapi.json`: the service described for programs (OpenAPI 3.1).
 *
 * @module
 */

import config from "../deno.json" with { type: "json" };
import { createStaticHandler } from "../lib/http/static.ts";
import description from "./openapi.json" with { type: "json" };

const { version } = config;
const versioned = { ...description, info: { ...description.info, version } };

/** Answers the description with the version of this service. */
export const openapi = createStaticHandler(
  JSON.stringify(versioned, null, 2),
  { "content-type": "application/json" },
);
