/**
 * The files with which the service is deployed, read by the programs and schemas that read
 * them. What needs Docker is in .ci/container.
 */

import { assert, assertEquals } from "@std/assert";
import { parse, parseAll } from "@std/yaml";
import * as apps from "kubernetes-models/apps/v1";
import * as autoscaling from "kubernetes-models/autoscaling/v2";
import * as networking from "kubernetes-models/networking.k8s.io/v1";
import * as policy from "kubernetes-models/policy/v1";
import * as core from "kubernetes-models/v1";
import config from "../../deno.json" with { type: "json" };
import {
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

Deno.test("every place that serves has the permissions of the task start", async (t) => {
  /** Returns the flags of Deno that permit something, or set V8. */
  const selectFlags = (words: readonly string[]) =>
    words.filter((word) => /^--(?:allow|v8|no-prompt|unstable)/.test(word))
      .toSorted();
  const expected = selectFlags(readCommand("start"));
  assert(expected.length >= 3);
  const read = "--allow-read=main.ts,deno.json,lib,routes,web";
  const places = {
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
  for (const [name, words] of Object.entries(places)) {
    await t.step(name, () => assertEquals(selectFlags(words), expected));
  }
});

Deno.test({
  name: "systemd finds no fault in the unit (needs systemd-analyze)",
  ignore: await readVersion("systemd-analyze") === "",
  async fn() {
    await Deno.mkdir("tests/.generated", { recursive: true });
    const dir = await Deno.makeTempDir({ dir: "tests/.generated" });
    const path = `${dir}/devutils.service`;
    const deno = Deno.execPath();
    await Deno.writeTextFile(path, UNIT.replace("/usr/local/bin/deno", deno));
    const result = await run(["systemd-analyze", "verify", path]);
    await Deno.remove(dir, { recursive: true });
    assertEquals(result, { code: 0, output: "", log: "" });
  },
});

Deno.test("the unit starts the service again for ever, and bounds its memory", () => {
  for (
    const line of ["StartLimitIntervalSec=0", "RestartSec=1", "MemoryMax=768M"]
  ) {
    assert(UNIT.split("\n").includes(line), line);
  }
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
      connect 127.0.0.2 && echo accepted || echo refused
      kill $pid; wait $pid`;
      const result = await run(["bash", "-c", script]);
      if (result.code !== 0) throw new Error(result.log);
      return result;
    });
    assertEquals(output, "refused\n");
  },
);

/** The members of Kubernetes' objects that the tests compare. */
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

/** Returns the object of a kind, of which the file has one. */
function getManifest(kind: string): Manifest {
  const found = MANIFESTS.filter((manifest) => manifest.kind === kind);
  assertEquals(found.length, 1, kind);
  return found[0]!;
}

Deno.test("the manifest for Kubernetes is valid by the schemas of its kinds", async (t) => {
  for (const manifest of MANIFESTS) {
    await t.step(manifest.kind, () => {
      const model = new MODELS[manifest.kind]!(manifest);
      assertEquals(model.apiVersion, manifest.apiVersion);
      model.validate();
    });
  }
});

Deno.test("the parts of the manifest for Kubernetes name each other", () => {
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
  // A fixed number would undo that of the autoscaler with each change.
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
  for (const probe of [service.readinessProbe, service.livenessProbe]) {
    assertEquals(probe.httpGet, {
      path: "/healthz",
      port: service.ports[0].name,
    });
  }
  assert(service.image.endsWith(`:${config.version}`), service.image);
});

Deno.test("the pods of Kubernetes listen where nginx.conf does", async () => {
  const text = await Deno.readTextFile("docs/deploy/nginx.conf");
  const [, nginx] = getManifest("Deployment").spec.template.spec.containers;
  const { containerPort } = nginx.ports[0];
  assert(text.includes(`listen ${containerPort};`));
});

Deno.test("the workflows are YAML with jobs", async () => {
  for await (const { name } of Deno.readDir(".github/workflows")) {
    const text = await Deno.readTextFile(`.github/workflows/${name}`);
    const { jobs } = parse(text) as { jobs: object };
    assert(Object.keys(jobs).length > 0, name);
  }
});
