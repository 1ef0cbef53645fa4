import { assert, assertEquals, equal } from "@std/assert";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv";
import config from "../../deno.json" with { type: "json" };
import { createHandler } from "../../routes/mod.ts";
import { loadOperations } from "../../routes/operations.ts";
import { call, type CheckedResponse, JSON_TYPE, post } from "../_client.ts";

const DEFINED = await loadOperations();

/** A JSON document of any shape. */
type Document = ReturnType<typeof JSON.parse>;

const response = await createHandler()(
  new Request("http://localhost/openapi.json"),
);
const text = await response.text();
const openapi: Document = JSON.parse(text);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...openapi, $id: "openapi" });

/** Path, method, and OpenAPI operation of each endpoint. */
const OPERATIONS = Object.entries<Document>(openapi.paths)
  .flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) =>
      [path, method, operation] as const
    )
  );

function writeExamples(parameters: Document[]): string {
  return parameters.map(({ name, example }) => `${name}=${example}`).join("&");
}

function writeFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields).map((field) => field.join("=")).join("&");
}

/** Writes a query with a value for one parameter, and examples of the other required ones. */
function writeQuery(
  parameters: Document[],
  name: string,
  value: unknown,
): string {
  const required = parameters.filter((other) =>
    other.required && other.name !== name
  );
  return writeExamples([{ name, example: value }, ...required]);
}

/** Sends fields, or a query to a path, and checks the response against its schema. */
async function send(
  path: string,
  sent: object | string,
): Promise<CheckedResponse> {
  const isGet = typeof sent === "string";
  const result = await (isGet ? call(`${path}?${sent}`) : post(path, sent));
  assertDescribed(path, isGet ? "get" : "post", result);
  return result;
}

/** Checks a response against its schema in the document. */
function assertDescribed(
  path: string,
  method: string,
  { status, body }: CheckedResponse,
): void {
  const { responses } = openapi.paths[path][method];
  assert(status in responses, `${path} has no ${status}`);
  const reference = responses[status].$ref;
  const pointer = reference?.slice(1) ??
    `/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}`;
  const validate = ajv.compile({
    $ref: `openapi#${pointer}/content/application~1json/schema`,
  });
  const errors = () => `${path} ${status}: ${ajv.errorsText(validate.errors)}`;
  if (!validate(body)) throw new Error(errors());
}

Deno.test("GET /openapi.json returns an OpenAPI 3.1 document with the current version", () => {
  const { status, headers } = response;
  const type = headers.get("content-type");
  assertEquals([status, type], [200, JSON_TYPE]);
  // Older validators accept no later patch version.
  assertEquals(openapi.openapi, "3.1.0");
  assertEquals(openapi.info.version, config.version);
  assertEquals(text, `${JSON.stringify(openapi, null, 2)}\n`);
});

function hasExample({ content }: Document): unknown {
  const { schema, example, examples } = content["application/json"];
  return schema && (example ?? examples);
}

Deno.test("openapi.json lists the operations and the health check, with what clients need", async (t) => {
  for (const [path, method, operation] of OPERATIONS) {
    await t.step(`${method} ${path}`, () => {
      const { operationId, summary, description, responses } = operation;
      assert(operationId && summary && description);
      assert(hasExample(responses["200"]));
      // For alternatives, oapi-codegen needs the name of a schema.
      assert(responses["200"].content["application/json"].schema.$ref);
      const [wrongMethod, failure] = [responses["405"], responses["500"]];
      assertEquals(wrongMethod.$ref, "#/components/responses/WrongMethod");
      assertEquals(failure.$ref, "#/components/responses/Failure");
      // A default response breaks the types of some generators.
      assertEquals(responses.default, undefined);
      const { parameters = [], requestBody } = operation;
      if (requestBody) {
        assert(hasExample(requestBody));
        for (const status of [408, 413, 415, 501, 503]) {
          assert(status in responses, `${status}`);
        }
      }
      for (const { name, description, schema, example } of parameters) {
        assert(description && schema && example !== undefined, name);
        if (schema.type !== "integer") continue;
        assert("minimum" in schema && "maximum" in schema, name);
      }
    });
  }
  assertEquals(
    OPERATIONS.map(([path, method]) => `${method.toUpperCase()} ${path}`),
    [
      ...DEFINED.map(({ method, name }) => `${method} /api/${name}`),
      "GET /healthz",
    ],
  );
});

Deno.test("every parameter example of openapi.json is accepted, alone and with all other examples", async (t) => {
  for (const [path, , { parameters = [] }] of OPERATIONS) {
    const queries: string[] = parameters.map((parameter: Document) =>
      writeQuery(parameters, parameter.name, parameter.example)
    );
    // Documentation pages send all examples with "try it".
    if (queries.length > 0) queries.push(writeExamples(parameters));
    for (const query of queries) {
      await t.step(`${path} ${query}`, async () => {
        assertEquals((await send(path, query)).status, 200);
      });
    }
  }
});

Deno.test("openapi.json has the examples and errors of each operation, with the service's responses", async (t) => {
  for (const { method, name, examples, errors = {} } of DEFINED) {
    const path = `/api/${name}`;
    const { responses } = openapi.paths[path][method.toLowerCase()];
    const calls = [
      ...Object.entries(examples)
        .map(([key, { sent }]) => ({ key, sent, status: 200 })),
      ...Object.entries(errors).map(([key, { sent, isUnsupported }]) => {
        return { key, sent, status: isUnsupported ? 501 : 400 };
      }),
    ];
    for (const { key, sent, status } of calls) {
      await t.step(`${name}: ${key}`, async () => {
        const { content } = responses[status];
        const { value } = content["application/json"].examples[key];
        const request = method === "GET" ? writeFields(sent) : sent;
        const result = await send(path, request);
        assertEquals(result.status, status);
        // Two calls with a random result differ.
        const again = await send(path, request);
        if (equal(result.body, again.body)) assertEquals(result.body, value);
        assertDescribed(path, method.toLowerCase(), { ...result, body: value });
      });
    }
  }
});

Deno.test("every bound and choice of openapi.json is accepted, and other values are rejected", async (t) => {
  const rows: [path: string, sent: object | string, status: number][] = [
    ["/api/password", "symbols=maybe", 400],
    ["/api/hash", { algorithm: "md5" }, 501],
    ["/api/json", { input: "x".repeat(1_048_576) }, 413],
  ];
  for (const [path, , { parameters = [] }] of OPERATIONS) {
    for (const { name, schema: { minimum, maximum } } of parameters) {
      if (minimum === undefined) continue;
      for (const value of [minimum - 1, minimum, maximum, maximum + 1]) {
        const status = value < minimum || value > maximum ? 400 : 200;
        rows.push([path, writeQuery(parameters, name, value), status]);
      }
    }
  }
  // Input that every action accepts.
  const inputs = { base64: "YQ==", hash: "", json: "[]" };
  for (const [operation, input] of Object.entries(inputs)) {
    const path = `/api/${operation}`;
    const { properties, required, additionalProperties } = findBody(operation);
    assertEquals(additionalProperties, false);
    const fields = {
      input,
      [required[0]]: properties[required[0]].enum[0],
    };
    for (const [name, schema] of Object.entries<Document>(properties)) {
      for (const value of schema.enum ?? []) {
        const status = value === "md5" ? 501 : 200;
        rows.push([path, { ...fields, [name]: value }, status]);
      }
      rows.push([path, { ...fields, [name]: {} }, 400]);
      const status = required.includes(name) ? 400 : 200;
      rows.push([path, { ...fields, [name]: undefined }, status]);
    }
    rows.push([path, { ...fields, unknown: 1 }, 400]);
  }
  for (const [path, sent, status] of rows) {
    const name = JSON.stringify(sent).slice(0, 80);
    await t.step(`${path} ${name} is ${status}`, async () => {
      assertEquals((await send(path, sent)).status, status);
    });
  }
});

Deno.test("openapi.json has a parameter's default in its schema, and a field's in its description, because generators make fields with a default required", () => {
  for (const { method, name, parameters } of DEFINED) {
    const described = method === "GET"
      ? openapi.paths[`/api/${name}`].get.parameters
      : Object.values(findBody(name).properties);
    Object.values(parameters).forEach(({ default: value }, i) => {
      const { schema, description: text } = described[i];
      if (method === "GET") assertEquals(schema.default, value);
      else {
        assertEquals(described[i].default, undefined);
        assertEquals(
          /Default: `(.+)`\.$/.exec(text ?? "")?.[1],
          value === undefined ? undefined : String(value),
        );
      }
    });
  }
});

/** Returns the schema of the request body of an operation. */
function findBody(name: string): Document {
  const { post } = openapi.paths[`/api/${name}`];
  const { $ref } = post.requestBody.content["application/json"].schema;
  return openapi.components.schemas[$ref.split("/").at(-1)];
}

Deno.test("openapi.json passes Redocly's recommended rules", async () => {
  const problems = await lintFromString({
    source: text,
    absoluteRef: "openapi.json",
    config: await createConfig({ extends: ["recommended"] }),
  });
  assertEquals(
    problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    [],
  );
});
