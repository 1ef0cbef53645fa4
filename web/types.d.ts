/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Types shared by the modules of the page. This file is not served. */

/** Values of a tool's fields, by name, and the text of its `input`. */
type Values = Readonly<Record<string, string>>;

/** Fields of a request: members of its body or parameters of its query. */
type Fields = Readonly<Record<string, string | number>>;

/** Applies a theme. A function of theme.js, which is no module. */
declare function applyTheme(theme: unknown): void;

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The description of a tool: the form, the call and the result. */
interface Tool {
  /** Name in the navigation. */
  readonly title: string;
  /** Template of the result: an editor, digests, or generated lines. */
  readonly view: "text" | "digests" | "lines";
  /** Word for the results of a tool without an input, such as `UUID`. */
  readonly noun?: string;
  readonly about?: string;
  /** Name for the result as a file. */
  fileName(values: Values): string;
  /** By action: what the result will be, and an input to try. */
  readonly empty?: Record<string, { about: string; example: string }>;
  readonly fields: Readonly<Record<string, Field>>;
  /** Whether the service accepts these values together. */
  isValid?(values: Values): boolean;
  /** Whether any file may be the input. The file is not sent. By default `false`. */
  takesFiles?(values: Values): boolean;
  /**
   * For each request of a call, the values to replace. By default one request, without
   * changes.
   */
  requests?(values: Values): readonly Values[];
  /** The values to replace in the request that the API call shows. By default none. */
  sample?(values: Values): Values;
  /** Reads the outcome; returns undefined for answers that cannot come from the service. */
  read(answers: readonly Answer[], values: Values): Outcome | undefined;
}

/** A field: a choice, a number with a range, or else a checkbox. */
interface Field {
  readonly label: string;
  /** Default. */
  readonly value: string;
  /** Values and their labels. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Least and greatest number, inclusive. */
  readonly range?: readonly [number, number];
  readonly hasSlider?: boolean;
  /** The only action that has this field. */
  readonly action?: string;
  /** Whether the page uses the value itself instead of sending it. */
  readonly isOfPage?: boolean;
}

/** The JSON of a response with a status of success. */
type Answer = Readonly<Record<string, unknown>>;

/** The outcome of a call: a result, an error (`wrong`) or a failure. */
interface Outcome {
  readonly result?: string;
  /** Text to show instead of an empty result. */
  readonly note?: string;
  /** Text to announce to screen readers. */
  readonly spoken?: string;
  /** Digests in hexadecimal, by algorithm. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Decoded header and payload of a JSON Web Token. */
  readonly parts?: readonly string[];
  /** Strength of a password, as the service names it. */
  readonly strength?: string;
  /** Message on an error in the input or the fields. */
  readonly wrong?: string;
  /** Whether the error is that the input is not JSON. */
  readonly isInvalidJson?: boolean;
  /** Place of the error in the input, in UTF-16 code units. */
  readonly offset?: number | undefined;
  /** Whether the page has computed it, and sent nothing. */
  readonly isLocal?: boolean;
  /** A sentence to show along with the result. */
  readonly hint?: string;
  /** The whole result, if `result` is only its start. */
  readonly whole?: Blob;
  /** Decoded data that is not UTF-8 text. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Message if the service has not answered, or has failed. */
  readonly failure?: string;
}

/** A file of text. */
interface TextFile {
  readonly file: File;
  readonly text: string;
}

/** A call of the service. */
interface Call extends CallInput {
  readonly controller: AbortController;
  /** Undefined while the call waits. */
  outcome?: Outcome;
}

/** What a form has at the start of a call. */
interface CallInput {
  readonly values: Values;
  /** The input instead of the text. */
  readonly file: File | undefined;
}

/** Events of the calls of a tool. */
interface CallListener {
  /** Returns what the form has now. */
  readInput(): CallInput;
  onStart(): void;
  onOutcome(call: Call, outcome: Outcome): void;
  /** Called after a change of the form, when typing has paused. */
  onSettled(): void;
}

/** The section to which a file input belongs. */
interface FileOwner {
  /** The editor of the input; undefined for a tool without one. */
  readonly editor: import("./editor.js").Editor | undefined;
  readonly message: import("./message.js").Message;
  readValues(): Values;
  setValues(values: Values): void;
  /** Called after a file has become the input. */
  onFile(): void;
}

/** A part of a message: a sentence, a button, or both. */
interface Remark {
  readonly words?: string;
  readonly button?: MessageButton;
}

/** The effects of the buttons in the message of an outcome. */
interface OutcomeActions {
  /** The file that the text in the editor was read from, if any. */
  readonly textFile: TextFile | undefined;
  encodeTextFile(): void;
  /** Selects the character at an offset in the input. */
  select(offset: number): void;
  /** Shows a text in place of the result. */
  showResult(result: string): void;
  open(tool: string, text: string): void;
  /** Makes a text the input, and chooses an action with it. */
  fill(text: string, action: string | undefined): void;
  repair(): void;
  /** Calls the service again. */
  call(): void;
  download(bytes: Uint8Array<ArrayBuffer>): void;
}

/** A hint in a message, and its button: for a new input, a place in the input, or a result. */
interface Suggestion {
  readonly says: string;
  readonly label: string;
  readonly value?: string;
  /** Action to select, or tool to open, with the new input. */
  readonly to?: string;
  readonly offset?: number;
  /** Text to show as the result. */
  readonly result?: string;
}

/** A kind of files, such as PNG. */
interface Kind {
  readonly name: string;
  /** Without a point. */
  readonly extension: string;
  /** Media type. */
  readonly type: string;
}

/** A button in a message: its label, and the function that it calls. */
type MessageButton = readonly [label: string, press: () => void];

/** The action before and after a change of the text. To undo the change goes back to `from`. */
interface ActionChange {
  readonly from: string;
  readonly to: string;
}

/** Events of a tool to which the page listens. */
interface PageCallbacks {
  /** Called after a change of the options. */
  onOptions(): void;
  /** Called to open a text in another tool. */
  onOpen(tool: string, text: string): void;
  /** Called after the button Clear. */
  onClear(): void;
}

interface EditorOptions {
  readonly tool: string;
  /** The text at first. */
  readonly text: string;
  /**
   * Called after a change of the text. `action` is the one that the change, or
   * its undo, selects, if any.
   */
  onChange(isTyped: boolean, action: string | undefined): void;
  /** Called after the caret has moved, with its place in words. */
  onCaret(place: string): void;
}

/** Settings that the browser keeps between visits. */
interface Settings {
  readonly theme?: string;
  readonly tool?: string;
  /** Options of each tool as in the address, such as `length=24`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Form in which each tool copies its result, such as `json`. */
  readonly copyAs?: Readonly<Record<string, string>>;
  /** Language of the API call as code. */
  readonly language?: string;
  readonly isApiCallShown?: boolean;
}
