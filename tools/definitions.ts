/** The parts of the definitions from which the page creates its forms. */

import type { Operation } from "../lib/operation/operation.ts";
import { loadOperations } from "../routes/operations.ts";

/** Returns the source of `web/vendor/definitions.js`. */
export async function describeForForms(): Promise<string> {
  const operations = await loadOperations();
  const definitions = operations.map((operation) =>
    `  ${JSON.stringify(operation.name)}: ${
      JSON.stringify(describe(operation))
    },`
  );
  return `// Generated from routes/ by deno task vendor.

/** @type {Readonly<Record<string, Definition>>} */
export const DEFINITIONS = {
${definitions.join("\n")}
};
`;
}

function describe({ method, summary, parameters, examples }: Operation) {
  const described = Object.entries(parameters).map(([name, parameter]) => {
    const { schema, default: value, isRequired } = parameter;
    return [name, { ...schema, default: value, isRequired }];
  });
  // The first example of each action.
  const inputs = Object.values(examples).map(({ sent }) => [
    String(sent["action"] ?? ""),
    sent["input"],
  ]);
  return {
    method,
    summary,
    parameters: Object.fromEntries(described),
    inputs: Object.fromEntries(inputs.toReversed()),
  };
}
