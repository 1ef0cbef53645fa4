import { assert, assertEquals } from "@std/assert";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv";
import openapiTypescript, { astToString } from "openapi-typescript";
import config from "../deno.json" with { type: "json" };
import { ROUTES } from "../routes/mod.ts";
import { type Answer, call, createTestHandler, post } from "./_client.ts";
import { startServer } from "./_server.ts";

// deno-lint-ignore no-explicit-any -- a JSON document of any shape
type Document = any;

const response = await createTestHandler()(
  new Request("http://localhost/openapi.json"),
);
const text = await response.text();
const description: Document = JSON.parse(text);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ ...description, $id: "openapi" });

/** Checks a response against its schema in the description. */
function assertDescribed(
  path: string,
  method: string,
  { status, body }: Answer,
): void {
  const { responses } = description.paths[path][method];
  const key = status in responses ? status : "default";
  const reference = responses[key].$ref;
  const pointer = reference?.slice(1) ??
    `/paths/${path.replaceAll("/", "~1")}/${method}/responses/${key}`;
  const validate = ajv.compile({
    $ref: `openapi#${pointer}/content/application~1json/schema`,
  });
  assert(
    validate(body),
    `${path} ${status}: ${ajv.errorsText(validate.errors)}`,
  );
}

Deno.test("GET /openapi.json answers the description with this version", () => {
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(description.openapi, "3.1.1");
  assertEquals(description.info.version, config.version);
  assertEquals(text, JSON.stringify(description, null, 2));
});

/** The described operations; the page, `/mcp` and the description itself are not among them. */
const OPERATIONS = [
  "POST /api/base64",
  "POST /api/hash",
  "GET /api/uuid",
  "GET /api/password",
  "POST /api/json",
  "GET /healthz",
];

Deno.test("openapi.json describes the five operations and the health check, and nothing else", () => {
  const described = Object.entries<object>(description.paths)
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    );
  assertEquals(described, OPERATIONS);
  const routed = ROUTES.map(({ method, pattern }) =>
    `${method} ${pattern.pathname}`
  );
  assertEquals(routed.filter((route) => described.includes(route)), OPERATIONS);
});

Deno.test("openapi.json gives the fields of request bodies no default, which generated clients would require", () => {
  const requests = Object.entries<Document>(description.components.schemas)
    .filter(([name]) => name.endsWith("Request"));
  assertEquals(requests.length, 3);
  for (const [name, { properties }] of requests) {
    for (const [field, schema] of Object.entries<Document>(properties)) {
      assert(!("default" in schema), `${name}.${field}`);
    }
  }
});

Deno.test("openapi.json gives every operation an identifier, and every answer an example", () => {
  const identifiers = new Set<string>();
  for (const methods of Object.values<Document>(description.paths)) {
    for (const operation of Object.values<Document>(methods)) {
      identifiers.add(operation.operationId);
      for (const status of Object.values<Document>(operation.responses)) {
        const { content } = status.$ref === undefined
          ? status
          : description.components.responses[status.$ref.split("/").at(-1)];
        const json = content?.["application/json"];
        if (json === undefined || json.schema.type === "object") continue;
        assert("example" in json || "examples" in json, JSON.stringify(status));
      }
    }
  }
  assertEquals(identifiers.size, OPERATIONS.length);
});

Deno.test("openapi.json has a contact, and a description and other errors of every operation", () => {
  assert(description.info.contact.name);
  for (const [path, methods] of Object.entries<Document>(description.paths)) {
    for (const operation of Object.values<Document>(methods)) {
      assert(operation.description, path);
      assertEquals(
        operation.responses.default.$ref,
        "#/components/responses/OtherError",
      );
    }
  }
});

Deno.test("openapi.json has no names that differ only in case, or that are globals of JavaScript", () => {
  const operations = Object.values<Document>(description.paths)
    .flatMap((methods) => Object.values<Document>(methods))
    .map(({ operationId }) => operationId);
  const schemas = Object.keys(description.components.schemas);
  const names = [...operations, ...schemas].map((name) => name.toLowerCase());
  assertEquals(names.length, new Set(names).size);
  for (const name of schemas) assert(!(name in globalThis), name);
});

Deno.test("every example of openapi.json matches its schema", () => {
  function check(value: Document): void {
    if (typeof value !== "object" || value === null) return;
    if ("schema" in value && ("example" in value || "examples" in value)) {
      const { $ref } = value.schema;
      const validate = ajv.compile(
        $ref ? { $ref: `openapi${$ref}` } : inline(value.schema),
      );
      const examples = "example" in value
        ? [value.example]
        : Object.values<Document>(value.examples).map((example) =>
          example.value
        );
      for (const example of examples) {
        assert(
          validate(example),
          `${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`,
        );
      }
    }
    Object.values(value).forEach(check);
  }
  check(description);
});

/** Creates a schema that can refer to the components of the description. */
function inline(schema: Document): Document {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"openapi#'),
  );
}

Deno.test("every example request of openapi.json is answered as described", async (t) => {
  for (
    const [path, { post: operation }] of Object.entries<Document>(
      description.paths,
    )
  ) {
    if (operation === undefined) continue;
    const { examples } = operation.requestBody.content["application/json"];
    for (const [name, { value }] of Object.entries<Document>(examples)) {
      await t.step(`POST ${path}, ${name}`, async () => {
        const answer = await post(path, value);
        assertEquals(answer.status, 200);
        assertDescribed(path, "post", answer);
      });
    }
  }
  for (const path of ["/api/uuid", "/api/password"]) {
    const { parameters } = description.paths[path].get;
    const queries = parameters.map(({ name, example }: Document) =>
      `${name}=${example}`
    );
    // Documentation pages send all examples with "try it".
    for (const query of [...queries, queries.join("&")]) {
      await t.step(`GET ${path}?${query}`, async () => {
        const answer = await call(`${path}?${query}`);
        assertEquals(answer.status, 200);
        assertDescribed(path, "get", answer);
      });
    }
  }
});

Deno.test("the example answers of openapi.json are the answers to its example requests", async () => {
  const examples = (path: string) =>
    Object.values<Document>(
      description.paths[path].post.responses["200"].content["application/json"]
        .examples,
    ).map(({ value }) => value);
  const requests = (path: string) =>
    description.paths[path].post.requestBody.content["application/json"]
      .examples;
  const { encode, decode } = requests("/api/base64");
  assertEquals([
    (await post("/api/base64", encode.value)).body,
    (await post("/api/base64", decode.value)).body,
  ], examples("/api/base64"));
  assertEquals([
    (await post("/api/hash", requests("/api/hash").sha256.value)).body,
  ], examples("/api/hash"));
  const { format, validate } = requests("/api/json");
  assertEquals([
    (await post("/api/json", format.value)).body,
    (await post("/api/json", validate.value)).body,
  ], examples("/api/json"));
});

Deno.test("every bound of openapi.json is accepted, and values beyond it are rejected", async (t) => {
  for (const path of ["/api/uuid", "/api/password"]) {
    for (const { name, schema } of description.paths[path].get.parameters) {
      if (schema.type !== "integer") continue;
      const { minimum, maximum } = schema;
      const rows = [
        [minimum, 200],
        [minimum - 1, 400],
        [minimum + 1, 200],
        [maximum, 200],
        [maximum + 1, 400],
        [maximum - 1, 200],
      ];
      for (const [value, status] of rows) {
        await t.step(`${path}?${name}=${value} is ${status}`, async () => {
          const answer = await call(`${path}?${name}=${value}`);
          assertEquals(answer.status, status);
          assertDescribed(path, "get", answer);
        });
      }
    }
  }
  for (
    const { name } of description.paths["/api/password"].get.parameters.slice(1)
  ) {
    await t.step(`/api/password?${name}=maybe is 400`, async () => {
      assertEquals((await call(`/api/password?${name}=maybe`)).status, 400);
    });
  }
});

Deno.test("every choice of openapi.json is accepted, any other and a missing field rejected", async (t) => {
  const valid: Record<string, Record<string, unknown>> = {
    "/api/base64": { action: "encode", input: "YQ==" },
    "/api/hash": { algorithm: "sha1", input: "" },
    "/api/json": { action: "format", input: "[]" },
  };
  for (const [path, fields] of Object.entries(valid)) {
    const { $ref } =
      description.paths[path].post.requestBody.content["application/json"]
        .schema;
    const { properties, required } =
      description.components.schemas[$ref.split("/").at(-1)];
    for (const [name, schema] of Object.entries<Document>(properties)) {
      const statuses = [
        ...(schema.enum ?? []).map((value: unknown) => [
          value,
          value === "md5" ? 501 : 200,
        ]),
        [{}, 400],
        [undefined, required.includes(name) ? 400 : 200],
      ];
      for (const [value, status] of statuses) {
        await t.step(
          `${path} with ${name} ${JSON.stringify(value)} is ${status}`,
          async () => {
            const answer = await post(path, { ...fields, [name]: value });
            assertEquals(answer.status, status);
            assertDescribed(path, "post", answer);
          },
        );
      }
    }
  }
  for (
    const [path, fields, status] of [["/api/hash", { algorithm: "md5" }, 501], [
      "/api/json",
      "x".repeat(1_048_576),
      413,
    ]] as const
  ) {
    await t.step(`${path} is ${status}`, async () => {
      const answer = await post(path, fields);
      assertEquals(answer.status, status);
      assertDescribed(path, "post", answer);
    });
  }
});

Deno.test("openapi.json tells of an unknown path, a wrong method and a compressed body", async () => {
  const unknown = await call("/nowhere");
  assertEquals(unknown.status, 404);
  assertDescribed("/api/uuid", "get", unknown);
  for (const [path, methods] of Object.entries<Document>(description.paths)) {
    const answer = await call(path, { method: "DELETE" });
    assertEquals(answer.status, 405);
    for (const method of Object.keys(methods)) {
      assertDescribed(path, method, answer);
    }
    if (!("post" in methods)) continue;
    const encoded = await call(path, {
      method: "POST",
      headers: { "content-encoding": "gzip" },
      body: "{}",
    });
    assertEquals(encoded.status, 415);
    assert("415" in methods.post.responses);
    assertDescribed(path, "post", encoded);
  }
});

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

/** A program that sends the README's examples with the generated client. */
const CLIENT = `
import createClient from "openapi-fetch";
import type { paths } from "./openapi.ts";

const client = createClient<paths>({ baseUrl: Deno.args[0]! });
const base64 = await client.POST("/api/base64", { body: { action: "encode", input: "a" } });
const uuid = await client.GET("/api/uuid", { params: { query: { count: 2 } } });
const wrong = await client.GET("/api/uuid", { params: { query: { count: 0 } } });
const results: (string | number | undefined)[] = [
  base64.data?.result,
  uuid.data && "uuids" in uuid.data ? uuid.data.uuids.length : undefined,
  wrong.error?.error,
];
await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(results)));
`;

/** The README's calls with curl and their answers, as calls of the typed client. */
function typeExamples(readme: string): string[] {
  const pattern =
    /^\$ curl -s '?http:\/\/localhost:8000(\/api[^'\s]*)'?(?: -d '(.+)')?\n(.+)$/gm;
  return [...readme.matchAll(pattern)].map(([, target, body, answer], i) => {
    const { pathname, searchParams } = new URL(target!, "http://localhost");
    const query = [...searchParams].map(([name, value]) => `${name}: ${value}`);
    const call = body === undefined
      ? `GET("${pathname}", { params: { query: { ${query} } } })`
      : `POST("${pathname}", { body: ${body} })`;
    return `
export const call${i} = () => client.${call};
type Result${i} = Awaited<ReturnType<typeof call${i}>>;
export const answer${i}: Result${i}["data"] | Result${i}["error"] = ${answer};
`;
  });
}

Deno.test("a client generated by openapi-typescript accepts all examples of the README, and calls the service", async () => {
  const folder = new URL(".generated/", import.meta.url);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    new URL("openapi.ts", folder),
    // Without options, like most users.
    astToString(await openapiTypescript(description)),
  );
  const readme = await Deno.readTextFile(
    new URL("../README.md", import.meta.url),
  );
  const examples = typeExamples(readme);
  assert(examples.length >= 13, "too few examples were found");
  const program = [CLIENT, ...examples].join("");
  await Deno.writeTextFile(new URL("client.ts", folder), program);
  await using server = await startServer();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--check",
      "--lock=../deno.lock",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      "client.ts",
      server.origin,
    ],
    cwd: folder,
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), [
    "YQ==",
    2,
    '"count" must be an integer from 1 to 100, got "0"',
  ]);
});
