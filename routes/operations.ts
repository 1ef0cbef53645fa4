/** The operations: each is an endpoint, a tool for agents and a command in a terminal. */

import type { Operation } from "../lib/operation/operation.ts";
import { base64 } from "./base64.ts";
import { hash } from "./hash.ts";
import { json } from "./json.ts";
import { password } from "./password.ts";
import { uuid } from "./uuid.ts";

/** All operations, in the order in which they are listed and described. */
export const OPERATIONS: readonly Operation[] = [
  base64,
  hash,
  uuid,
  password,
  json,
];
