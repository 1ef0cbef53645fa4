/** `runProgram()` with a command line, an environment and signals of the test's. */

import { assertEquals, assertThrows } from "@std/assert";
import { HELP } from "../../lib/process/arguments.ts";
import { runProgram, type Stoppable } from "../../lib/process/program.ts";
import { ListenError } from "../../lib/process/server.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../lib/process/settings.ts";
import { stopClock } from "../_clock.ts";
import { captureLog, replace } from "../_replace.ts";

interface Surroundings {
  readonly args?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** What the process may not read of its environment. */
  readonly forbidden?: readonly string[];
  readonly os?: typeof Deno.build.os;
}

/** Stands in for what the program takes from the process, until it is left. */
function surround(
  { args = [], variables = {}, forbidden = [], os = "linux" }: Surroundings,
) {
  const exits: number[] = [];
  const events: string[] = [];
  const signals = new Map<string, () => void>();
  const log = captureLog();
  const replacements = [
    log,
    replace(Deno, {
      args: [...args],
      build: { ...Deno.build, os },
      exit: ((code: number) => exits.push(code)) as typeof Deno.exit,
      addSignalListener: (signal, listener) =>
        void signals.set(signal, listener),
    }),
    replace(Deno.env, {
      get(name) {
        if (forbidden.includes(name)) throw new Deno.errors.NotCapable(name);
        return variables[name];
      },
    }),
    replace(globalThis, {
      addEventListener: (type: string) => void events.push(type),
    }),
  ];
  return {
    exits,
    events,
    signals,
    lines: log.lines,
    [Symbol.dispose]() {
      for (const replaced of replacements.reverse()) replaced[Symbol.dispose]();
    },
  };
}

/** Serves nothing, and stops when the test says so. */
class FakeServer implements Stoppable {
  readonly stopped = Promise.withResolvers<void>();
  stops = 0;

  stop(): Promise<void> {
    this.stops += 1;
    return this.stopped.promise;
  }
}

/** Runs the program with a server of the test's. */
function runServer(serve: (settings: Settings) => Stoppable): void {
  runProgram("1.2.3", {
    serve,
    serveAgent: () => Promise.reject(new Error("it was not to")),
  });
}

/** Runs the program and returns the settings it would serve with. */
function run(): Settings[] {
  const served: Settings[] = [];
  runServer((settings) => {
    served.push(settings);
    return new FakeServer();
  });
  return served;
}

Deno.test("mcp serves an agent, and nothing else", () => {
  using surroundings = surround({
    args: ["mcp"],
    variables: { PORT: "wrong" },
  });
  const uses: string[] = [];
  runProgram("1.2.3", {
    serve() {
      uses.push("serve");
      return new FakeServer();
    },
    serveAgent() {
      uses.push("serveAgent");
      return Promise.resolve();
    },
  });
  const { lines, exits, signals } = surroundings;
  assertEquals({ uses, lines, exits, signals: [...signals] }, {
    uses: ["serveAgent"],
    lines: [],
    exits: [],
    signals: [],
  });
});

Deno.test("the command line wins over the environment, which wins over the defaults", async (t) => {
  const rows = [
    [[], {}, {}],
    [[], { PORT: "1", HOST: "a" }, { port: 1, host: "a" }],
    [["--port=2"], { PORT: "1", HOST: "a" }, { port: 2, host: "a" }],
    [["--host=b"], { PORT: "1", HOST: "a" }, { port: 1, host: "b" }],
    [["--port=2", "--host=b"], {}, { port: 2, host: "b" }],
    [[], { MAX_BODY_BYTES: "5", BODY_TIMEOUT_MS: "6", LOG_REQUESTS: "true" }, {
      maxBodyBytes: 5,
      bodyTimeoutMs: 6,
      logRequests: true,
    }],
  ] as const;
  for (const [args, variables, settings] of rows) {
    await t.step(JSON.stringify([args, variables]), () => {
      using surroundings = surround({ args, variables });
      assertEquals(run(), [{ ...DEFAULT_SETTINGS, ...settings }]);
      const { lines, exits, events } = surroundings;
      assertEquals({ lines, exits }, { lines: [], exits: [] });
      // From here on a rejection that nobody handles does not end it.
      assertEquals(events, ["unhandledrejection"]);
    });
  }
});

Deno.test("--help and --version print and serve nothing", async (t) => {
  const rows = [
    [["--help"], HELP.trimEnd()],
    [["-h"], HELP.trimEnd()],
    [["mcp", "--help"], HELP.trimEnd()],
    [["--version"], "1.2.3"],
    [["--version", "--help"], HELP.trimEnd()],
  ] as const;
  for (const [args, text] of rows) {
    await t.step(args.join(" "), () => {
      using surroundings = surround({ args, variables: { PORT: "wrong" } });
      assertEquals(run(), []);
      const { lines, exits, signals } = surroundings;
      assertEquals({ lines, exits, signals: [...signals] }, {
        lines: [["log", text]],
        exits: [],
        signals: [],
      });
    });
  }
});

Deno.test("what makes no sense ends the program with one line: 2 for the command line, 1 for a setting", async (t) => {
  const rows = [
    [
      ["--bogus"],
      {},
      2,
      'unknown argument "--bogus", type --help for a list',
    ],
    [
      [],
      { PORT: "x" },
      1,
      'PORT must be an integer from 0 to 65535, got "x"',
    ],
  ] as const;
  for (const [args, variables, code, message] of rows) {
    await t.step(message, () => {
      using surroundings = surround({ args, variables });
      assertEquals(run(), []);
      const { lines, exits, signals } = surroundings;
      assertEquals({ lines, exits, signals: [...signals] }, {
        lines: [["error", message]],
        exits: [code],
        signals: [],
      });
    });
  }
});

Deno.test("an address that cannot be listened on ends the program with 1, and a fault of its own is thrown", () => {
  using surroundings = surround({});
  runServer(() => {
    throw new ListenError("no such address");
  });
  assertEquals(surroundings.exits, [1]);
  const fault = new TypeError("a fault");
  const error = assertThrows(() =>
    runServer(() => {
      throw fault;
    }), TypeError);
  assertEquals(error, fault);
  assertEquals(surroundings.exits, [1]);
  assertEquals(surroundings.lines, [["error", "no such address"]]);
});

Deno.test("the settings that the program may not read are named in one warning, and it serves without them", () => {
  const forbidden = ["HOST", "LOG_REQUESTS"];
  using surroundings = surround({
    forbidden,
    variables: { HOST: "a", PORT: "1" },
  });
  assertEquals(run(), [{ ...DEFAULT_SETTINGS, port: 1 }]);
  assertEquals(surroundings.lines, [[
    "warn",
    "may not read HOST,LOG_REQUESTS: permit it with --allow-env=HOST,LOG_REQUESTS",
  ]]);
});

Deno.test("the signals that stop the program are those that the system has", async (t) => {
  const rows = [
    ["linux", ["SIGINT", "SIGTERM"]],
    ["darwin", ["SIGINT", "SIGTERM"]],
    ["windows", ["SIGINT", "SIGBREAK"]],
  ] as const;
  for (const [os, signals] of rows) {
    await t.step(os, () => {
      using surroundings = surround({ os });
      run();
      assertEquals([...surroundings.signals.keys()], [...signals]);
    });
  }
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  Deno.test(`the first ${signal} stops the server, and the program ends with 0 when that has stopped`, async () => {
    using clock = stopClock();
    using surroundings = surround({});
    const { exits, lines, signals } = surroundings;
    const server = new FakeServer();
    runServer(() => server);
    signals.get(signal)!();
    await clock.pass(60_000);
    assertEquals({ stops: server.stops, exits, lines }, {
      stops: 1,
      exits: [],
      lines: [["info", `stopping on ${signal}`]],
    });
    server.stopped.resolve();
    await clock.pass(0);
    assertEquals({ exits, lines }, {
      exits: [0],
      lines: [["info", `stopping on ${signal}`], ["info", "stopped"]],
    });
  });
}

Deno.test("a signal counts once more only when it comes more than half a second after the first, and then ends the program at once", async () => {
  using clock = stopClock();
  using surroundings = surround({});
  const { exits, lines, signals } = surroundings;
  const server = new FakeServer();
  runServer(() => server);
  await clock.pass(1_000);
  signals.get("SIGINT")!();
  for (const [wait, expected] of [[0, []], [500, []], [1, [1]]] as const) {
    await clock.pass(wait);
    signals.get("SIGTERM")!();
    assertEquals(exits, [...expected]);
  }
  assertEquals(server.stops, 1);
  assertEquals(lines, [["info", "stopping on SIGINT"]]);
});
