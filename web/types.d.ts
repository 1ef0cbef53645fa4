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

/** Fields of a request: members of its JSON body or parameters of its query. */
type Fields = Readonly<Record<string, string | number>>;

/** Declared here, since theme.js is no module. */
declare function applyTheme(theme: unknown): void;

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The description of a tool: the form, the call and the result. */
interface Tool {
  /** Name in the title of the page, and heading of the section for screen readers. */
  readonly title: string;
  /** Template of the result: an editor, digests, or generated lines. */
  readonly view: "text" | "digests" | "lines";
  /** Word for one result, such as `UUID`. Only a tool without an input has it. */
  readonly noun?: string;
  readonly about?: string;
  /**
   * Returns the file name for the download of a text result. When lines are downloaded as
   * a JSON array, the section replaces `.txt` by `.json`.
   */
  fileName(values: Values): string;
  /**
   * For each value of the field `action`, such as `encode`: words to show while there is no
   * result, and the text that the button Try an example enters.
   */
  readonly empty?: Record<string, { about: string; example: string }>;
  readonly fields: Readonly<Record<string, Field>>;
  /** Whether the operation accepts these values together. By default `true`. */
  isValid?(values: Values): boolean;
  /**
   * Whether a file that is not text may be the input. By default `false`.
   */
  takesFiles?(values: Values): boolean;
  /**
   * Returns, for each call of the operation, the values that replace the given ones. By
   * default, it is called once, and no value is replaced.
   */
  calls?(values: Values): readonly Values[];
  /**
   * Returns the values that replace the given ones in the request that the panel of the
   * API call shows. By default none.
   */
  sample?(values: Values): Values;
  /** Reads the outcome from the answers to the calls, in their order. */
  read(answers: readonly Answer[], values: Values): Outcome;
}

/** A field: a choice, a number with a range, or else a checkbox. */
interface Field {
  readonly label: string;
  /** Default; `true` or `false` for a checkbox. */
  readonly value: string;
  /** Labels by value. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Least and greatest number, inclusive. */
  readonly range?: readonly [number, number];
  readonly hasSlider?: boolean;
  /** The only action that has this field. */
  readonly action?: string;
  /** Whether the page uses the value itself: the operation does not have it. */
  readonly isOfPage?: boolean;
}

/** What a worker computes: calls of an operation, with texts as in a query. */
interface Job {
  readonly name: string;
  readonly calls: readonly Values[];
  /** The input of all calls in place of their texts. */
  readonly file?: File | undefined;
}

/** The members of a result, as in a response of the API. */
interface Answer {
  /** Bytes if Base64 of no text was decoded, a blob if a file was encoded. */
  readonly result?: string | Uint8Array<ArrayBuffer> | Blob;
  readonly algorithm?: string;
  readonly uuids?: readonly string[];
  readonly passwords?: readonly string[];
  readonly strength?: string;
  readonly valid?: boolean;
}

/** The reply of a worker. */
interface Reply {
  readonly answers?: readonly Answer[];
  /** The message of an `InputError`. */
  readonly error?: string;
  /** The name of the error if the file cannot be read, or is too large. */
  readonly failure?: string;
}

/**
 * The outcome of a call: a result, an error (`wrong`) or a failure. To validate invalid
 * JSON gives an empty result and an error.
 */
interface Outcome {
  readonly result?: string;
  /** Text to show instead of an empty result. */
  readonly note?: string;
  /** Text to announce to screen readers if there is no message. */
  readonly spoken?: string;
  /** Digests in lower-case hexadecimal, by algorithm. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Decoded header and payload of a JSON Web Token. */
  readonly parts?: readonly string[];
  /** Strength of a password, as the operation names it. */
  readonly strength?: string;
  /** Message on an error in the input or the fields. */
  readonly wrong?: string;
  /** Whether the error is that the input is not JSON. */
  readonly isInvalidJson?: boolean;
  /** Offset of the error in the input, in UTF-16 code units. */
  readonly offset?: number | undefined;
  /** A sentence to show along with the result. */
  readonly hint?: string;
  /** The whole result, if `result` is only its start. */
  readonly whole?: Blob | string;
  /** Decoded data that is not UTF-8 text. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Message if the call was cancelled or has failed. */
  readonly failure?: string;
}

/** A file, and the text that was read from it. */
interface TextFile {
  readonly file: File;
  readonly text: string;
}

/** A computation. */
interface Call extends CallInput {
  readonly controller: AbortController;
  /** The part of the file that has been read, from 0 to 1. */
  progress?: number;
  /** Undefined until the call has ended. */
  outcome?: Outcome;
}

/** The values of a form, with its text or file, at one time. */
interface CallInput {
  readonly values: Values;
  /** The file that is the input in place of the text, if any. */
  readonly file?: File | undefined;
}

/** The functions by which the calls of a tool read its form and report their progress. */
interface CallListener {
  /** Returns the values and the file that the form has now. */
  readInput(): CallInput;
  onStart(): void;
  onProgress(): void;
  /** Gets a call of the tool that has ended, unless a newer call has started by then. */
  onOutcome(call: Call): void;
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

/** The file to which the message on an outcome may refer, and the effects of its buttons. */
interface OutcomeContext {
  /**
   * The last file whose text was put into the editor, if any; the text may differ by now.
   */
  readonly textFile: TextFile | undefined;
  /** Makes a file the input, to be encoded as a data URL. */
  encodeAsDataUrl(file: File): void;
  /** Selects the character at an offset in the input. */
  select(offset: number): void;
  /** Shows a text in place of the result. */
  showResult(result: string): void;
  open(tool: string, text: string): void;
  /** Makes a text the input, and selects the action, if any. */
  fill(text: string, action?: string): void;
  repair(): void;
  /** Starts the call again. */
  retry(): void;
  download(bytes: Uint8Array<ArrayBuffer>): void;
}

/**
 * A hint in a message. Its button makes a text the input of this or another tool, selects a
 * place in the input, or shows a result.
 */
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
  /** Without a dot. */
  readonly extension: string;
  /** Media type. */
  readonly type: string;
}

/** A button in a message: its label, and the function that it calls. */
type MessageButton = readonly [label: string, press: () => void];

/** The action before and after a change of the text. Undoing the change selects `from`. */
interface ActionChange {
  readonly from: string;
  readonly to: string;
}

/** Events of a tool to which the page listens. */
interface PageCallbacks {
  /** Called when the options of a section may have changed. */
  onOptions(section: import("./section.js").Section): void;
  /** Called to open a text in another tool. */
  onOpen(tool: string, text: string): void;
  /** Called after the button Clear. */
  onClear(): void;
}

interface EditorOptions {
  readonly tool: string;
  /** Initial text. */
  readonly text: string;
  /**
   * Called after a change of the text or the action of an input. `isTyped` is true if text
   * was typed or deleted. `action` is the action to select, if any.
   */
  onChange(isTyped: boolean, action: string | undefined): void;
  /**
   * Called when the caret of an input has rested after a move or a change of the text, with
   * its place, such as `Ln 1, Col 5 (3 selected)`.
   */
  onCaret(place: string): void;
}

/** Settings that the browser keeps between visits. */
interface Settings {
  readonly theme?: string;
  readonly tool?: string;
  /** Options of each tool as in the address, such as `length=24`. */
  readonly options?: Readonly<Record<string, string>>;
  /** Form in which results are copied, such as `json`, by tool. */
  readonly copyAs?: Readonly<Record<string, string>>;
  /** Language of the code that the panel of the API call shows. */
  readonly language?: string;
  readonly isApiCallShown?: boolean;
}
