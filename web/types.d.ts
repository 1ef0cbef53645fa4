/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Types shared by the modules of the page. This file is not served. */

/**
 * Values of a tool's fields, by name. A tool with an input also has its text as `input`. If
 * a file is the input, `input` is empty, and `encoding` is `base64` or `data-url`.
 */
type Values = Readonly<Record<string, string>>;

/** Fields of a JSON body, or parameters of a query. */
type Fields = Readonly<Record<string, string | number | boolean>>;

/** Declared here, because theme.js isn't a module. */
declare function applyTheme(theme: unknown): void;

interface Window {
  /** Undefined in browsers without Trusted Types. */
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string | null },
    ): unknown;
  };
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The parts of an operation's definition that the forms need. */
interface Definition {
  readonly method: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, DefinedParameter>>;
  /** An example of the input, by action. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** A parameter: its JSON Schema, and its default. */
interface DefinedParameter {
  readonly type: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean;
  readonly isRequired: boolean;
}

/** A tool: its form, and how its result is shown. */
interface Tool {
  /** HTTP method of the operation. */
  readonly method: string;
  readonly hasInput: boolean;
  /** Name in the navigation and the title of the page. */
  readonly title: string;
  /** Template of the result: an editor, digests, or generated lines. */
  readonly view: "text" | "digests" | "lines";
  readonly about: string;
  /** Text of an empty result, by action. */
  readonly empty?: Readonly<Record<string, string>>;
  /** Input that the button Try an example enters, by action. */
  readonly examples: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, Field>>;
  /** Whether a file that isn't text can be the input. By default `false`. */
  acceptsFiles?(values: Values): boolean;
}

/** What the page adds to the definition of an operation. */
type OwnTool = Partial<Omit<Tool, "method" | "hasInput" | "fields">> & {
  readonly fields?: Readonly<Record<string, OwnField>>;
};

/** What the page adds to the definition of a parameter; `choices` are labels by value. */
type OwnField = Partial<Omit<Field, "type" | "isOptional" | "range">>;

/** A control of a form: radio buttons, a number field, a checkbox, or a text field. */
interface Field {
  /** Type of the parameter in JSON. */
  readonly type: string;
  readonly label: string;
  /** Default; `true` or `false` for a checkbox. */
  readonly value: string;
  /** Whether the field can be empty, so that the parameter is absent. */
  readonly isOptional: boolean;
  /** Labels by value. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Minimum and maximum, inclusive. */
  readonly range?: readonly [number, number];
  readonly hasSlider?: boolean;
  /** The only action that has this field. */
  readonly action?: string;
}

/** A computation for the worker. */
interface Job extends CallInput {
  /** Name of the tool. */
  readonly name: string;
}

/** The properties of a result, as in a response of the API. */
interface ResultMembers {
  /** Bytes if decoded Base64 isn't UTF-8, and a blob if a file was encoded. */
  readonly result?: string | Uint8Array<ArrayBuffer> | Blob;
  readonly algorithm?: string;
  readonly strength?: string;
  readonly valid?: boolean;
  readonly [name: string]: unknown;
}

interface WorkerMessage {
  /** The worker can receive jobs. */
  readonly isReady?: boolean;
  /** The worker has loaded everything. */
  readonly isComplete?: boolean;
  /** Number of the job of `progress` and `reply`. */
  readonly id?: number;
  /** The part of the file that has been read, from 0 to 1. */
  readonly progress?: number;
  readonly reply?: Reply;
}

interface Reply {
  readonly results?: readonly ResultMembers[];
  /** The complete result, if `result` is only its start. */
  readonly fullResult?: FullResult | undefined;
  /** The error of the input. Validation returns it together with a result. */
  readonly error?: CallError | undefined;
  readonly suggestions?: readonly Suggestion[];
  readonly inputBytes?: number;
  /** Size of a result that is text or bytes. */
  readonly resultBytes?: number;
  /** The line endings of the input, see `nameLineEndings()`. */
  readonly lineEndings?: string;
  /** The parts of the result that can be collapsed, see `findBlocks()`. */
  readonly blocks?: readonly Block[];
  /** The name of the error if the computation failed; empty if it is unexpected. */
  readonly failure?: string;
}

/** An `InputError` of an operation. */
interface CallError {
  readonly parameters: string | readonly string[];
  readonly requirement: string;
  readonly reason: string;
  /** Whether the input isn't valid JSON. */
  readonly isJson: boolean;
  /** Offset in the input, in UTF-16 code units. */
  readonly offset: number | undefined;
  /** The same as line and column, counted from 1. */
  readonly lineAndColumn:
    | { readonly line: number; readonly column: number }
    | undefined;
}

/** A result that is only partly shown. */
interface FullResult {
  readonly content: Blob;
  /** In characters. */
  readonly length: number;
}

/**
 * The outcome of a call: a result, an error, or a failure. Validation of invalid JSON has an
 * empty result and an error.
 */
interface Outcome {
  readonly result?: string;
  /** Text to show instead of an empty result. */
  readonly note?: string;
  /** Text to announce to screen readers if there is no message. */
  readonly spoken?: string | undefined;
  /** In lowercase hexadecimal, by algorithm. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Strength of a password, as in the API. */
  readonly strength?: string | undefined;
  /** Message on an error in the input or the fields. */
  readonly error?: string;
  /** Offset of the error in the input, in UTF-16 code units. */
  readonly offset?: number | undefined;
  /** A sentence to show with the result. */
  readonly hint?: string;
  /** The complete result, if `result` is only its start. */
  readonly fullResult?: Blob;
  /** Decoded bytes that aren't UTF-8. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Message if the computation was canceled or failed. */
  readonly failure?: string;
  /** See `Reply`. */
  readonly suggestions?: readonly Suggestion[] | undefined;
  /** Sizes of the input and of a result that is text, in bytes. */
  readonly sizes?: readonly number[];
  readonly lineEndings?: string | undefined;
  readonly blocks?: readonly Block[] | undefined;
}

/** A range of a string, as offsets in UTF-16 code units. */
interface Block {
  readonly from: number;
  readonly to: number;
}

/** A file, and the text that was read from it. */
interface TextFile {
  readonly file: File;
  readonly text: string;
}

/** The values of a form, with its text or file. */
interface CallInput {
  readonly values: Values;
  /** The file that is the input instead of the text, if any. */
  readonly file?: File | undefined;
}

interface Computation extends CallInput {
  /** The part of the file that has been read, from 0 to 1. */
  readonly progress?: number;
  /** Undefined until the computation has ended. */
  readonly outcome?: Outcome;
}

/** A message of a tool; empty if there is none. */
interface Message {
  readonly text: string;
  /** A notice stays until the next change. Other messages belong to the newest outcome. */
  readonly kind: "error" | "hint" | "notice";
  readonly buttons: readonly MessageButton[];
}

/** Everything that a tool shows. */
interface ToolState {
  /** Values of all fields, and `encoding` for a file. */
  readonly values: Values;
  /** The text in the editor of the input; undefined for a tool without one. */
  readonly text: string | undefined;
  /** Whether the editor has newer text, which is read after a pause in typing. */
  readonly isTextOutdated: boolean;
  /** The file that is the input instead of the text. */
  readonly inputFile: File | undefined;
  /** The last file whose text became the input, which can have changed since then. */
  readonly textFile: TextFile | undefined;
  /** The newest computation; undefined before the first. */
  readonly newest: Computation | undefined;
  /**
   * The last computation with a result, which is shown. Undefined before the first result,
   * and if an outcome without a result follows a note.
   */
  readonly shown: Computation | undefined;
  readonly message: Message;
  /** The expected digest. */
  readonly expected: string;
  /** Notation for copied results. */
  readonly copyAs: string;
  /** Language of the code of the API call. */
  readonly language: string;
  readonly isApiCallShown: boolean;
  /** Whether the last change was typed. An error is then not scrolled into view. */
  readonly isTyped: boolean;
}

/** The actions of the buttons in a message. */
interface OutcomeActions {
  /** Makes a file the input, and changes values of the form. */
  useFile(file: File, changes: Values): void;
  /** Its method selects the character at an offset. */
  readonly input?: { select(offset: number): void } | undefined;
  openTool(tool: string, text: string): void;
  /** Makes text the input, and selects the action, if any. */
  fill(text: string, action?: string): void;
  /** Computes again. */
  run(): void;
}

/**
 * A suggestion in a message. Its button makes text the input of this or another tool, or
 * selects a character of the input.
 */
interface Suggestion {
  readonly message: string;
  readonly label: string;
  readonly value?: string;
  /** Action to select, or tool to open, with the new input. */
  readonly to?: string;
  readonly offset?: number;
}

/** A file type, such as PNG. */
interface Kind {
  readonly name: string;
  /** Without a dot. */
  readonly extension: string;
  /** Media type. */
  readonly type: string;
}

/** A button in a message: its label, and the function that it calls. */
type MessageButton = readonly [label: string, press: () => void];

interface PageCallbacks {
  /** Called when the options of a section might have changed. */
  onOptions(section: import("./section.js").Section): void;
  /** Opens text in another tool. */
  onOpen(tool: string, text: string): void;
  /** Called after the button Clear. */
  onClear(): void;
}

interface ViewOptions {
  /** Initial text of the input. */
  readonly text: string | undefined;
  /** See `onChange()` of `EditorOptions`. */
  onText(isTyped: boolean): void;
  /** Moves the focus into the tool. */
  focus(): void;
}

interface EditorOptions {
  readonly tool: string;
  readonly text: string;
  /**
   * Called after a change of the text of an input. `isTyped` is true if text was typed or
   * deleted.
   */
  onChange(isTyped: boolean): void;
}

/** Settings that the browser keeps between visits. */
interface Settings {
  /** `light`, `dark`, or `system`. */
  readonly theme: string;
  readonly tool: string;
  /** Options of each tool as in the URL, such as `length=24`. */
  readonly options: Readonly<Record<string, string>>;
  /** Notation for copied results, such as `json`, by tool. */
  readonly copyAs: Readonly<Record<string, string>>;
  /** Language of the code that the panel of the API call shows. */
  readonly language: string;
  readonly isApiCallShown: boolean;
  /** Whether inputs are kept for a reload. */
  readonly isInputKept: boolean;
  readonly isWrapped: boolean;
}
