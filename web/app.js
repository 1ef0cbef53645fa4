/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/**
 * The page: each tool's form calls the real endpoint as you type. Nothing is
 * stored, and no more than the tool's name is in the address.
 *
 * @module
 */

/** Pause after the last keystroke before a call, in milliseconds. */
const DEBOUNCE_MS = 150;
/** A call that takes longer is said to be waited for, in milliseconds. */
const SLOW_MS = 400;
/** A call that takes longer has failed, in milliseconds. */
const TIMEOUT_MS = 20_000;
/** The most of a result that is shown, in UTF-16 code units. */
const MAX_SHOWN = 100_000;
/** Longer request bodies are sent by curl from a file. */
const MAX_COMMAND_BODY = 2_000;
/** The largest file that an input takes, in bytes: the service's own limit. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Sizes of the character classes, with and without the look-alikes. */
const CLASS_SIZES = {
  uppercase: [26, 23],
  lowercase: [26, 25],
  numbers: [10, 7],
  symbols: [28, 28],
};

/**
 * Finds the one element that the page is known to have.
 *
 * @template {Element} E
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => E} type
 * @returns {E}
 */
function find(parent, selector, type) {
  const element = parent.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`the page has no ${selector}`);
}

/** @param {string} text */
function countBytes(text) {
  return new TextEncoder().encode(text).byteLength;
}

/** @param {number} bytes */
function formatBytes(bytes) {
  return `${bytes.toLocaleString("en")} ${bytes === 1 ? "byte" : "bytes"}`;
}

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string} type
 */
function download(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TIMEOUT_MS);
}

/** @param {string} text */
async function copy(text) {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text);
  // Without HTTPS there is no clipboard but this one.
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** One tool: a form, the call that it stands for, and what came of it. */
class Tool {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.name = section.id;
    this.section = section;
    this.form = find(section, "form", HTMLFormElement);
    /** @type {HTMLTextAreaElement | null} */
    this.input = section.querySelector("textarea[name=input]");
    const template = find(document, "#outcome", HTMLTemplateElement);
    const outcome = document.importNode(template.content, true);
    this.message = find(outcome, ".message", HTMLElement);
    this.resultPanel = find(outcome, ".result", HTMLElement);
    this.output = find(outcome, "textarea", HTMLTextAreaElement);
    this.sizes = find(outcome, ".sizes", HTMLElement);
    this.copyResult = find(outcome, ".result .copy", HTMLButtonElement);
    this.downloadResult = find(outcome, ".result .download", HTMLButtonElement);
    this.command = find(outcome, "pre", HTMLElement);
    this.copyCommand = find(outcome, ".command .copy", HTMLButtonElement);
    this.downloadRequest = find(
      outcome,
      ".command .download",
      HTMLButtonElement,
    );
    section.append(outcome);

    /** The whole result, of which a part may be shown. */
    this.result = "";
    /** @type {string | undefined} A text that the input cannot hold as it is. */
    this.exactInput = undefined;
    /** @type {AbortController | undefined} The newest call. */
    this.call = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.hasRun = false;
    this.listen();
  }

  listen() {
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    this.form.addEventListener("input", () => {
      this.prepare();
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.run(), DEBOUNCE_MS);
    });
    this.input?.addEventListener("input", () => this.exactInput = undefined);
    this.copyResult.addEventListener(
      "click",
      () => this.copy(this.copyResult, this.result),
    );
    this.copyCommand.addEventListener(
      "click",
      () => this.copy(this.copyCommand, this.command.textContent ?? ""),
    );
    this.downloadResult.addEventListener(
      "click",
      () => download(this.result, `${this.name}.txt`, "text/plain"),
    );
    this.downloadRequest.addEventListener(
      "click",
      () =>
        download(
          JSON.stringify(this.readFields()),
          "request.json",
          "application/json",
        ),
    );
    if (this.input) this.acceptFiles(this.input);
  }

  /** Brings what depends on the form up to date, before any call. */
  prepare() {
    for (const set of this.form.querySelectorAll("[data-for]")) {
      const isUsed = set.getAttribute("data-for") === this.readFields().action;
      if (set instanceof HTMLFieldSetElement) set.disabled = !isUsed;
    }
  }

  /** @param {HTMLTextAreaElement} input */
  acceptFiles(input) {
    input.addEventListener("dragover", (event) => {
      event.preventDefault();
      input.classList.add("dropping");
    });
    input.addEventListener(
      "dragleave",
      () => input.classList.remove("dropping"),
    );
    input.addEventListener("drop", async (event) => {
      input.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      if (file.size > MAX_FILE_BYTES) {
        return this.say(
          `“${file.name}” has ${
            formatBytes(file.size)
          }; the service takes at most ${formatBytes(MAX_FILE_BYTES)}.`,
          "wrong",
        );
      }
      try {
        const decoder = new TextDecoder("utf-8", {
          fatal: true,
          ignoreBOM: true,
        });
        this.fill(decoder.decode(await file.arrayBuffer()));
      } catch {
        this.say(`“${file.name}” is not UTF-8 text.`, "wrong");
      }
    });
  }

  /**
   * Puts a text into the input and runs the tool with it.
   *
   * @param {string} text
   */
  fill(text) {
    if (!this.input) return;
    this.input.value = text;
    // A text area turns every line end into LF; the call must not.
    this.exactInput = this.input.value === text ? undefined : text;
    this.run();
  }

  /** @returns {Record<string, string | number>} The body or query of the call. */
  readFields() {
    /** @type {Record<string, string | number>} */
    const fields = {};
    for (const [name, value] of new FormData(this.form)) {
      fields[name] = String(value);
    }
    if (this.input) fields.input = this.exactInput ?? this.input.value;
    return fields;
  }

  /** @returns {{ url: URL, init: RequestInit }} */
  createRequest() {
    const url = new URL(this.form.dataset.path ?? "", document.baseURI);
    url.hash = "";
    const fields = this.readFields();
    if (this.form.dataset.method === "POST") {
      return { url, init: { method: "POST", body: JSON.stringify(fields) } };
    }
    for (const [name, value] of Object.entries(fields)) {
      url.searchParams.set(name, String(value));
    }
    return { url, init: {} };
  }

  /** Makes the call and shows its answer, unless a newer call is made. */
  async run() {
    this.hasRun = true;
    clearTimeout(this.timer);
    this.call?.abort();
    this.prepare();
    const { url, init } = this.createRequest();
    this.showCommand(url, init.body);
    if (this.input?.value === "") return this.showNothing();

    const call = new AbortController();
    this.call = call;
    this.section.classList.add("stale");
    const slow = setTimeout(
      () => this.say("Waiting for the service…"),
      SLOW_MS,
    );
    const deadline = setTimeout(() => call.abort("timeout"), TIMEOUT_MS);
    try {
      const response = await fetch(url, {
        ...init,
        signal: call.signal,
        cache: "no-store",
      });
      const answer = await response.json();
      if (this.call === call) this.show(answer);
    } catch {
      if (this.call !== call) return;
      const isLate = call.signal.reason === "timeout";
      this.fail(
        isLate
          ? "The service has not answered in time."
          : "The service cannot be reached.",
      );
    } finally {
      clearTimeout(slow);
      clearTimeout(deadline);
      if (this.call === call) this.section.classList.remove("stale");
    }
  }

  /** @param {Record<string, any>} answer */
  show(answer) {
    if (typeof answer.error === "string") return this.refuse(answer.error);
    this.say("");
    this.showResult(answer.result);
  }

  /** @param {string} result */
  showResult(result) {
    this.result = result;
    const isCut = result.length > MAX_SHOWN;
    this.output.value = isCut ? result.slice(0, MAX_SHOWN) : result;
    this.output.rows = Math.min(
      20,
      Math.max(3, this.output.value.split("\n", 21).length),
    );
    this.copyResult.disabled = result === "";
    this.downloadResult.hidden = result.length < 1_000;
    this.sizes.textContent = this.describeSizes(result) +
      (isCut
        ? `; the first ${MAX_SHOWN.toLocaleString("en")} characters are shown`
        : "");
  }

  /** @param {string} result */
  describeSizes(result) {
    if (result === "" || !this.input) return "";
    return `${formatBytes(countBytes(String(this.readFields().input)))} → ${
      formatBytes(countBytes(result))
    }`;
  }

  showNothing() {
    this.call = undefined;
    this.section.classList.remove("stale");
    this.say("");
    this.showResult("");
  }

  /** @param {string} error */
  refuse(error) {
    this.showResult("");
    this.say(error, "wrong");
  }

  /** @param {string} message */
  fail(message) {
    this.showResult("");
    this.say(message, "wrong");
    this.offer("Try again", () => this.run());
  }

  /**
   * @param {string} message
   * @param {"wrong" | "right"} kind
   */
  say(message, kind = "right") {
    this.message.textContent = message;
    this.message.classList.toggle("wrong", kind === "wrong");
  }

  /**
   * Adds a button to the message.
   *
   * @param {string} label
   * @param {() => void} act
   */
  offer(label, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.addEventListener("click", act);
    this.message.append(button);
  }

  /**
   * @param {URL} url
   * @param {BodyInit | null | undefined} body
   */
  showCommand(url, body) {
    const address = url.search === "" ? url.href : quoteForShell(url.href);
    const isLong = typeof body === "string" && body.length > MAX_COMMAND_BODY;
    const data = isLong ? "@request.json" : quoteForShell(String(body));
    this.command.textContent = `curl -s ${address}` +
      (body === undefined ? "" : ` -d ${data}`);
    this.downloadRequest.hidden = !isLong;
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} text
   */
  async copy(button, text) {
    try {
      await copy(text);
      button.textContent = "Copied";
      this.say("Copied.");
    } catch {
      button.textContent = "Not copied";
      this.say(
        "The browser does not let this page copy; select the text and copy it yourself.",
        "wrong",
      );
    }
    setTimeout(() => button.textContent = "Copy", 1_500);
  }
}

class Base64Tool extends Tool {
  /** @override */
  readFields() {
    const { variant, ...fields } = super.readFields();
    return variant === "url" ? { ...fields, variant } : fields;
  }

  /** @override */
  listen() {
    super.listen();
    find(this.form, ".swap", HTMLButtonElement).addEventListener(
      "click",
      () => {
        const other = this.readFields().action === "encode"
          ? "decode"
          : "encode";
        find(this.form, `[value=${other}]`, HTMLInputElement).checked = true;
        this.fill(this.result || (this.input?.value ?? ""));
      },
    );
  }
}

class UuidTool extends Tool {
  /** @override */
  readFields() {
    const { count } = super.readFields();
    /** @type {Record<string, string | number>} */
    const fields = {};
    if (count !== undefined && count !== "1") fields.count = count;
    return fields;
  }

  /**
   * @override
   * @param {Record<string, any>} answer
   */
  show(answer) {
    const uuids = answer.uuids ?? [answer.uuid];
    super.show(answer.error ? answer : { result: uuids.join("\n") });
  }
}

class PasswordTool extends Tool {
  /**
   * Only what differs from the defaults.
   *
   * @override
   */
  readFields() {
    /** @type {Record<string, string | number>} */
    const fields = {};
    const { length } = super.readFields();
    if (length !== undefined && length !== "16") fields.length = length;
    for (const { name, checked } of this.findSwitches()) {
      if (!checked) fields[name] = "false";
    }
    return fields;
  }

  /** @returns {NodeListOf<HTMLInputElement>} */
  findSwitches() {
    return this.form.querySelectorAll("[role=switch]");
  }

  /** @override */
  prepare() {
    super.prepare();
    find(this.form, "output", HTMLOutputElement).value =
      find(this.form, "[name=length]", HTMLInputElement).value;
  }

  /**
   * @override
   * @param {Record<string, any>} answer
   */
  show(answer) {
    super.show(answer.error ? answer : { result: answer.password });
    const panel = find(this.section, ".strength", HTMLElement);
    panel.hidden = Boolean(answer.error);
    if (answer.error) return;
    const bits = this.computeBits();
    find(panel, "meter", HTMLMeterElement).value = bits;
    find(panel, ".rating", HTMLElement).textContent = `${
      answer.strength.replace("-", " ")
    }, ${bits.toFixed(1)} bits`;
  }

  /** The entropy, as the service computes it: by inclusion and exclusion. */
  computeBits() {
    const switches = [...this.findSwitches()];
    const column = switches.find(({ name }) => name === "ambiguous")?.checked
      ? 0
      : 1;
    const sizes = Object.entries(CLASS_SIZES)
      .filter(([name]) => switches.find((box) => box.name === name)?.checked)
      .map(([_name, columns]) => columns[column] ?? 0);
    const length = Number(super.readFields().length);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (length < sizes.length) return length * Math.log2(total);
    let share = 0;
    for (let left = 0; left < 2 ** sizes.length; left += 1) {
      const kept = sizes.filter((_size, i) => left & (1 << i));
      const sign = (sizes.length - kept.length) % 2 === 0 ? 1 : -1;
      share += sign *
        (kept.reduce((sum, size) => sum + size, 0) / total) ** length;
    }
    return length * Math.log2(total) + Math.log2(share);
  }
}

class JsonTool extends Tool {
  /** @param {HTMLElement} section */
  constructor(section) {
    super(section);
    this.mark = find(section, ".marked-line", HTMLElement);
    this.markedLine = 0;
    this.input?.addEventListener("scroll", () => this.placeMark());
  }

  /** @override */
  readFields() {
    const { indent, ...fields } = super.readFields();
    return indent === undefined || indent === "2"
      ? fields
      : { ...fields, indent: Number(indent) };
  }

  /**
   * @override
   * @param {Record<string, any>} answer
   */
  show(answer) {
    if (answer.valid === false) return this.refuse(answer.result);
    super.show(answer);
    if (this.readFields().action !== "validate" || answer.error) return;
    this.showResult("");
    this.say("This is valid JSON.");
  }

  /**
   * @override
   * @param {string} result
   */
  showResult(result) {
    super.showResult(result);
    this.markLine(0);
  }

  /**
   * @override
   * @param {string} error
   */
  refuse(error) {
    super.refuse(error.replace(/^"input" must be JSON: /, "Not valid JSON: "));
    const [, line, column] = /at line (\d+), column (\d+)$/.exec(error) ?? [];
    if (line === undefined) return;
    this.markLine(Number(line));
    this.offer("Show", () => this.select(Number(line), Number(column)));
  }

  /** @param {number} line Counted from 1; 0 for none. */
  markLine(line) {
    this.markedLine = line;
    this.placeMark();
  }

  placeMark() {
    this.mark.hidden = this.markedLine === 0;
    if (this.mark.hidden || !this.input) return;
    const { lineHeight, paddingTop, borderTopWidth } = getComputedStyle(
      this.input,
    );
    const top = parseFloat(paddingTop) + parseFloat(borderTopWidth) +
      (this.markedLine - 1) * parseFloat(lineHeight);
    this.mark.style.translate = `0 ${top - this.input.scrollTop}px`;
  }

  /**
   * Selects the character at a line and column, both counted from 1.
   *
   * @param {number} line
   * @param {number} column In code points.
   */
  select(line, column) {
    if (!this.input) return;
    const lines = this.input.value.split("\n");
    const before = lines.slice(0, line - 1).reduce(
      (sum, text) => sum + text.length + 1,
      0,
    );
    const start = before +
      [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
    this.input.focus();
    this.input.setSelectionRange(start, start + 1);
    this.input.scrollTop = (line - 3) *
      parseFloat(getComputedStyle(this.input).lineHeight);
  }
}

const TOOLS = {
  base64: Base64Tool,
  hash: Tool,
  uuid: UuidTool,
  password: PasswordTool,
  json: JsonTool,
};

const tools = Object.entries(TOOLS).map(([name, Kind]) =>
  new Kind(find(document, `#${name}`, HTMLElement))
);

/** Shows the tool that the address names, the first one where it names none. */
function showTool() {
  const shown = tools.find(({ name }) => `#${name}` === location.hash) ??
    tools[0];
  for (const tool of tools) tool.section.hidden = tool !== shown;
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.getAttribute("href") === `#${shown?.name}`;
    link.toggleAttribute("aria-current", isCurrent);
    if (isCurrent) {
      link.setAttribute("aria-current", "page");
      document.title = `${link.textContent} · Developer Utilities`;
    }
  }
  scrollTo(0, 0);
  if (shown && !shown.hasRun) shown.run();
}

addEventListener("hashchange", showTool);
showTool();
