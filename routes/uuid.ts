/**
 * `GET /api/uuid`: generates version 4 UUIDs (RFC 9562, section 5.4).
 *
 * @module
 */

import { defineOperation } from "../lib/operation/operation.ts";
import { integer, optional } from "../lib/operation/parameters.ts";

const MAX_COUNT = 100;

/** JSON Schema of a version 4 UUID, named `Version4Uuid` in the OpenAPI document. */
const VERSION_4_UUID = {
  type: "string",
  format: "uuid",
  pattern:
    "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
} as const;

export default defineOperation({
  method: "GET",
  name: "uuid",
  summary: "Generate version 4 UUIDs",
  description:
    "Without `count`, the result is one UUID (RFC 9562, section 5.4). With `count`, even if it is 1, the result is a list.",
  tool: {
    name: "generateUuids",
    description:
      "Generate random version 4 UUIDs. No tool here generates other versions, such as 7. Call this for every new UUID; never make one up, because yours wouldn't be random. Returns `uuid`, or the list `uuids` if `count` is set (even to 1).",
  },
  parameters: {
    count: optional(
      integer({ min: 1, max: MAX_COUNT, description: "Number of UUIDs." }),
    ),
  },
  results: {
    UuidResponse: { uuid: VERSION_4_UUID },
    UuidListResponse: {
      uuids: {
        type: "array",
        minItems: 1,
        maxItems: MAX_COUNT,
        items: VERSION_4_UUID,
      },
    },
  },
  schemas: { Version4Uuid: VERSION_4_UUID },
  examples: {
    one: {
      sent: {},
      result: { uuid: "8f0c1c4e-5f0b-4c51-9d3c-2a7f0b8f6a11" },
    },
    list: {
      sent: { count: 2 },
      result: {
        uuids: [
          "d2b1f0de-6f3b-4a57-8a51-0f3c9c6f7e02",
          "0b9e7c55-3f1d-4e7c-b1a4-6c2f4f1d9a83",
        ],
      },
    },
  },
  errors: {
    tooMany: {
      sent: { count: 101 },
      message: '"count" must be an integer from 1 to 100, got "101"',
    },
  },

  run({ count }) {
    if (count === undefined) return { uuid: crypto.randomUUID() };
    return { uuids: Array.from({ length: count }, () => crypto.randomUUID()) };
  },
});
