/** What joins the tools of agents to the endpoints that they stand for. */

import { withCorsAndErrors } from "../http/middleware.ts";
import { type Context, createRouter, type Route } from "../http/router.ts";
import { splitUrl } from "../http/target.ts";
import type { Toolbox } from "./server.ts";
import { type Advice, createTools, type Description } from "./tools.ts";

/** What agents are told of a service. */
export interface Service {
  readonly version: string;
  readonly description: Description;
  /** By the paths of the description; those without are no tools. */
  readonly advice: Readonly<Record<string, Advice>>;
}

/**
 * Makes what gives a server its tools: a call goes through the very handler of
 * its endpoint, in the context given.
 */
export function createToolboxes(
  routes: readonly Route[],
  { version, description, advice }: Service,
): (context: Omit<Context, "path" | "query" | "info">) => Toolbox {
  const dispatch = createRouter(routes);
  const tools = createTools(description, advice);
  // Never rejects: what goes wrong is an answer.
  let lastAnswer: Promise<unknown> = Promise.resolve();
  return function createToolbox(context) {
    const callEndpoint = withCorsAndErrors((request) =>
      dispatch(request, {
        ...context,
        // What the endpoint answers stays here.
        info: undefined,
        ...splitUrl(request.url),
      })
    );
    return {
      version,
      tools,
      // One after another, since each holds more than its message, and with room
      // for others in between.
      callEndpoint(request) {
        const answer = lastAnswer.then(() => context.turns.take())
          .then(() => callEndpoint(request));
        lastAnswer = answer;
        return answer;
      },
    };
  };
}
