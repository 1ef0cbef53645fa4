/** A request to each endpoint and to a file of the page. */

const HASH = { algorithm: "sha1", input: "abc" };
const DIGEST = "a9993e364706816aba3e25717850c26c9cd0d89d";

/** A request: a POST if it has a body, otherwise a GET. */
export interface EndpointRequest {
  readonly path: string;
  /** The fields of the JSON body. */
  readonly fields?: object;
  /** A part of the response body. */
  readonly part: string;
}

/** Each request gets status 200. */
export const ENDPOINTS: readonly EndpointRequest[] = [
  {
    path: "/api/base64",
    fields: { action: "encode", input: "a" },
    part: '{"result":"YQ=="}',
  },
  { path: "/api/hash", fields: HASH, part: DIGEST },
  {
    path: "/api/json",
    fields: { action: "minify", input: "[ 1.0 ]" },
    part: '{"result":"[1.0]","valid":true}',
  },
  { path: "/api/uuid", part: '{"uuid":"' },
  { path: "/api/password", part: '"strength":"very-strong"' },
  { path: "/healthz", part: '{"status":"ok"}' },
  {
    path: "/mcp",
    fields: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "hashText", arguments: HASH },
    },
    part: DIGEST,
  },
  { path: "/openapi.json", part: '"openapi": "3.1.0"' },
  { path: "/docs", part: "<!DOCTYPE html>" },
  { path: "/", part: "<!DOCTYPE html>" },
  { path: "/service_worker.js", part: "addEventListener" },
];
