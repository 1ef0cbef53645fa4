/**
 * The deployment files, read by the programs and schemas that define them. The tests that
 * need Docker are in .ci/container.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse, parseAll } from "@std/yaml";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import config from "../../deno.json" with { type: "json" };
import {
  createFolder,
  readCommand,
  readVersion,
  run,
  startOnFreePort,
  testOnLinux,
} from "../_server.ts";

const UNIT = await Deno.readTextFile("docs/deploy/devutils.service");

/** Returns the command of the unit, whose lines are joined, as words. */
function readUnitCommand(): string[] {
  const [, command] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(UNIT)!;
  return command!.split(/[\s\\]+/);
}

/** Returns the command of the image as words. */
async function readImageCommand(): Promise<string[]> {
  const file = await Deno.readTextFile("Dockerfile");
  return JSON.parse(/^ENTRYPOINT (.+)$/m.exec(file)![1]!);
}

Deno.test("every command that serves has the permissions of the task start", async (t) => {
  /** Returns the permissions and other flags that must be the same. */
  const selectFlags = (words: readonly string[]) =>
    words.filter((word) => /^--(?:allow|v8|no-prompt|unstable)/.test(word))
      .toSorted();
  const expected = selectFlags(readCommand("start"));
  assert(expected.length >= 3);
  const read = "--allow-read=main.ts,deno.json,lib,routes,web";
  const commands = {
    "the task dev": readCommand("dev"),
    // It listens on one address, see below.
    "the unit": readUnitCommand().map((word) =>
      word.startsWith("--allow-net=")
        ? expected.find((flag) => flag.startsWith("--allow-net="))!
        : word
    ),
    "the image": await readImageCommand(),
    "the task start:parallel": readCommand("start:parallel")
      .filter((word) => word !== read),
  };
  for (const [name, words] of Object.entries(commands)) {
    await t.step(name, () => assertEquals(selectFlags(words), expected));
  }
});

Deno.test({
  name: "systemd accepts the unit (needs systemd-analyze)",
  ignore: await readVersion("systemd-analyze") === "",
  async fn() {
    await using folder = await createFolder();
    const path = `${folder.path}/devutils.service`;
    const deno = Deno.execPath();
    await Deno.writeTextFile(path, UNIT.replace("/usr/local/bin/deno", deno));
    const result = await run(["systemd-analyze", "verify", path]);
    assertEquals(result, { code: 0, output: "", log: "" });
  },
});

testOnLinux(
  "the service of the unit accepts connections from its host alone",
  async () => {
    const [, variables] = /^Environment=(.+)$/m.exec(UNIT)!;
    const command = [
      ...variables!.replace(/DENO_DIR=\S+/, "").split(" "),
      ...readUnitCommand().with(0, Deno.execPath()),
    ].join(" ");
    const { output } = await startOnFreePort(async (port) => {
      const script = `
      env ${command.replaceAll("8000", `${port}`)} >&2 & pid=$!
      connect() { (echo > /dev/tcp/$1/${port}) 2> /dev/null; }
      until connect 127.0.0.1; do kill -0 $pid || exit 1; sleep 0.1; done
      connect 127.0.0.2 && echo accepted || echo rejected
      kill $pid; wait $pid`;
      const result = await run(["bash", "-c", script]);
      if (result.code !== 0) throw new Error(result.log);
      return result;
    });
    assertEquals(output, "rejected\n");
  },
);

/** The fields of Kubernetes objects that the tests compare. */
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // deno-lint-ignore no-explicit-any -- the schemas check the types
  readonly spec: any;
}

const MODELS = {
  ...core,
  ...apps,
  ...autoscaling,
  ...networking,
  ...policy,
} as unknown as Record<
  string,
  new (manifest: Manifest) => { validate(): void; apiVersion: string }
>;

const MANIFESTS = parseAll(
  await Deno.readTextFile("docs/deploy/kubernetes.yaml"),
) as Manifest[];

/** Returns the only object of a kind. */
function getManifest(kind: string): Manifest {
  const found = MANIFESTS.filter((manifest) => manifest.kind === kind);
  assertEquals(found.length, 1, kind);
  return found[0]!;
}

Deno.test("the Kubernetes manifest is valid", async (t) => {
  for (const manifest of MANIFESTS) {
    await t.step(manifest.kind, () => {
      const model = new MODELS[manifest.kind]!(manifest);
      assertEquals(model.apiVersion, manifest.apiVersion);
      model.validate();
    });
  }
});

Deno.test("the parts of the Kubernetes manifest match each other and nginx.conf", async () => {
  const { metadata, spec } = getManifest("Deployment");
  const { labels } = spec.template.metadata;
  const [service, nginx] = spec.template.spec.containers;
  assertEquals(spec.selector.matchLabels, labels);
  assertEquals(getManifest("Service").spec.selector, labels);
  assertEquals(
    getManifest("PodDisruptionBudget").spec.selector.matchLabels,
    labels,
  );
  const [spread] = spec.template.spec.topologySpreadConstraints;
  assertEquals(spread.labelSelector.matchLabels, labels);
  const { scaleTargetRef, metrics } =
    getManifest("HorizontalPodAutoscaler").spec;
  assertEquals([scaleTargetRef.kind, scaleTargetRef.name], [
    "Deployment",
    metadata.name,
  ]);
  assertEquals(metrics[0].containerResource.container, service.name);
  // A fixed number would replace the autoscaler's with each change.
  assertEquals(spec.replicas, undefined);
  const [port] = getManifest("Service").spec.ports;
  assertEquals(port.targetPort, nginx.ports[0].name);
  const [rule] = getManifest("Ingress").spec.rules;
  const { backend } = rule.http.paths[0];
  assertEquals(backend.service, {
    name: getManifest("Service").metadata.name,
    port: { name: port.name },
  });
  assertEquals(service.ports[0].containerPort, 8000);
  const configuration = await Deno.readTextFile("docs/deploy/nginx.conf");
  assertStringIncludes(
    configuration,
    `listen ${nginx.ports[0].containerPort};`,
  );
  for (const probe of [service.readinessProbe, service.livenessProbe]) {
    assertEquals(probe.httpGet, {
      path: "/healthz",
      port: service.ports[0].name,
    });
  }
  assert(service.image.endsWith(`:${config.version}`), service.image);
});

Deno.test("the workflows are YAML with jobs", async () => {
  for await (const { name } of Deno.readDir(".github/workflows")) {
    const text = await Deno.readTextFile(`.github/workflows/${name}`);
    const { jobs } = parse(text) as { jobs: object };
    assert(Object.keys(jobs).length > 0, name);
  }
});
