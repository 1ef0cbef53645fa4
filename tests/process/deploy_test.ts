/**
 * The deployment files, read by the programs and schemas that define them. The tests that
 * need Docker are in .ci/container.
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parseAll } from "@std/yaml";
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
  startProcess,
  testOnLinux,
} from "../_server.ts";

const UNIT = await Deno.readTextFile("docs/deploy/devutils.service");

/** Returns the words of the unit's command, which has several lines. */
function readUnitCommand(): string[] {
  const [, command] = /^ExecStart=((?:.*\\\n)*.*)$/m.exec(UNIT)!;
  return command!.split(/[\s\\]+/);
}

async function readImageCommand(): Promise<string[]> {
  const file = await Deno.readTextFile("Dockerfile");
  return JSON.parse(/^ENTRYPOINT (.+)$/m.exec(file)![1]!);
}

Deno.test("every command that serves has the permissions of the task start", async (t) => {
  const selectFlags = (words: readonly string[]) =>
    words.filter((word) => /^--(?:allow|v8|no-prompt|unstable)/.test(word))
      .toSorted();
  const expected = selectFlags(readCommand("start"));
  const allowNet = expected.find((flag) => flag.startsWith("--allow-net="))!;
  const read = "--allow-read=main.ts,deno.json,lib,routes,web";
  const commands = {
    "the task dev": readCommand("dev"),
    // It listens on one address, see below.
    "the unit": readUnitCommand().map((word) =>
      word.replace(/^--allow-net=.*/, allowNet)
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
    const [, host] = /^Environment=.*\bHOST=(\S+)/m.exec(UNIT)!;
    await using server = await startOnFreePort((port) => {
      const command = readUnitCommand().with(0, Deno.execPath())
        .map((word) => word.replace("8000", `${port}`));
      return startProcess(command, { HOST: host!, PORT: `${port}` });
    });
    const connect = (address: string) =>
      run(["bash", "-c", `echo > /dev/tcp/${address}/${server.port}`]);
    assertEquals((await connect("127.0.0.1")).code, 0);
    assertEquals((await connect("127.0.0.2")).code, 1);
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
  const deployment = getManifest("Deployment");
  const { template, selector, replicas } = deployment.spec;
  const { metadata: { labels }, spec: pod } = template;
  const [spread] = pod.topologySpreadConstraints;
  const budget = getManifest("PodDisruptionBudget").spec;
  for (const each of [selector, spread.labelSelector, budget.selector]) {
    assertEquals(each.matchLabels, labels);
  }
  assertEquals(getManifest("Service").spec.selector, labels);

  const [service, nginx] = pod.containers;
  const { scaleTargetRef: { kind, name }, metrics: [metric] } =
    getManifest("HorizontalPodAutoscaler").spec;
  assertEquals([kind, name], ["Deployment", deployment.metadata.name]);
  assertEquals(metric.containerResource.container, service.name);
  // A fixed number would replace the autoscaler's with each change.
  assertEquals(replicas, undefined);

  const [port] = getManifest("Service").spec.ports;
  const [rule] = getManifest("Ingress").spec.rules;
  assertEquals(rule.http.paths[0].backend.service, {
    name: getManifest("Service").metadata.name,
    port: { name: port.name },
  });
  const [nginxPort] = nginx.ports;
  assertEquals(port.targetPort, nginxPort.name);
  const configuration = await Deno.readTextFile("docs/deploy/nginx.conf");
  assertStringIncludes(configuration, `listen ${nginxPort.containerPort};`);
  const [servicePort] = service.ports;
  assertEquals(servicePort.containerPort, 8000);
  for (const { httpGet } of [service.readinessProbe, service.livenessProbe]) {
    assertEquals(httpGet, { path: "/healthz", port: servicePort.name });
  }
  assert(service.image.endsWith(`:${config.version}`), service.image);
});
