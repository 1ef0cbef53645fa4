/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Types shared by the modules of the page. This file is not served. */

/** Values of the controls of a tool's form, by the names of the controls. `input` is the exact text of the input. */
type Values = Readonly<Record<string, string>>;

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Fields of a request, sent in its body or its query. */
type Fields = Readonly<Record<string, string | number>>;

interface ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

interface SendOptions {
  readonly signal: AbortSignal;
  /** Called during the upload of a large body, with the fraction that has been sent, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** A request to write as example code. `json` is its body, empty for a GET request. `isFile` means that the code reads the body from a file instead. */
interface Code {
  readonly url: string;
  readonly json: string;
  readonly isFile: boolean;
}

type Answer = Readonly<Record<string, unknown>>;

/** Reply to a request: the JSON of a successful response, the message of the service for an invalid request, or a failure such as a timeout. */
type Reply = { readonly answer: Answer } | { readonly error: string } | Failure;

interface Failure {
  readonly failure: string;
  /** Pause before the call is repeated, in seconds. If it is undefined, the call is not repeated. */
  readonly retryAfter?: number;
}

/** Result of a successful call. */
interface Result {
  readonly result: string;
  /** Text shown instead of an empty result. */
  readonly note?: string;
  /** Text announced to screen readers. */
  readonly spoken?: string;
  /** Digests of the input in hexadecimal digits, by algorithm, such as `sha256`. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Decoded header and payload, if the input is a JSON Web Token. */
  readonly parts?: readonly string[];
  /** Decoded data that is not UTF-8 text, and the type of the data (`kind`). The result is then a hex dump of the data. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly kind?: { name: string; type: string; end: string };
  /** Only for passwords: the entropy in bits, the strength as the service names it (`level`), and a text with both (`rating`). */
  readonly bits?: number;
  readonly level?: string;
  readonly rating?: string;
}

/** An error in the values of a call: the message (`wrong`), and the offset of the error in the input, in UTF-16 code units. */
interface Problem {
  readonly wrong: string;
  readonly offset?: number | undefined;
  /** Suggested repairs of an invalid JSON input. Each of them is valid JSON according to the service. */
  readonly repairs?: readonly Suggestion[];
}

/** Outcome of a call: a result, a problem or a failure. Only a result has `result`, only a problem `wrong`, only a failure `failure`. */
type Outcome = Partial<Result & Problem & Failure>;

/** Sends a request with the values of a call, except for the given changes. */
type Ask = (changes: Values) => Promise<Reply>;

/** The functions of a tool that differ between the tools. */
interface Kind {
  /** Returns, for each request of a call, the values that differ from those of the call. Without this function, a call is one request, with the values of the call. */
  requests?(values: Values): readonly Values[];
  /** Returns the values that the example code uses instead of those of the form. Without this function, it uses all values of the form. */
  describe?(values: Values): Values;
  /** Converts the answers to the requests of a call to a result or a problem. Returns undefined for answers that are not from this service, such as from a proxy. */
  read(
    answers: readonly Answer[],
    values: Values,
  ): Result | Problem | undefined;
}

/** A call of the service: the values of the form at its start, the means to cancel it, and its outcome once there is one. */
interface Call {
  readonly values: Values;
  readonly stop: AbortController;
  outcome?: Outcome;
}

interface CallsOptions {
  /** Name of the tool. */
  readonly name: string;
  readonly defaults: Values;
  /** Called at the start of a call. */
  onStart(): void;
  /** Called during the upload of a large body, with the fraction that has been sent, 0 to 1. */
  onProgress(share: number): void;
  /** Called with the outcome of the newest call, and once more if repairs of its input are found. */
  onOutcome(call: Call, outcome: Outcome): void;
}

/** The state of a tool that `showState()` (`views.js`) shows. */
interface State {
  /** Whether the newest call was made with the current values of the form. */
  readonly isLatest: boolean;
  readonly latest: Call | undefined;
  /** Text of the input, if the tool has one. */
  readonly input: string | undefined;
  /** Outcome whose result is shown, which can be that of an earlier call. */
  readonly shown: Outcome | undefined;
  /** Fields of the request that the example code sends. */
  readonly fields: Fields;
}

/** A button of a message: its label, its action (`data-act`), the value for the action, and the radio button to select or the tool to open. */
interface Button {
  readonly label: string;
  readonly act: string;
  readonly value?: string;
  readonly to?: string;
}

/** A suggested change of the input: the reason, as a message; the label of its button; the new input. */
interface Suggestion {
  readonly says: string;
  readonly label: string;
  readonly value: string;
  /** Value of the radio button to select with the new input, such as `decode`, or name of the tool that opens with the new input. By default the selected button and the tool stay the same. */
  readonly to?: string;
}

interface MessageOptions {
  readonly buttons?: readonly Button[];
  /** Kind of message: `wrong` for an error (default), `hint` for a suggestion, `notice` if it is not about a call. */
  readonly kind?: string;
}

/** A selection of another radio button, made together with a change of the text: the values of the buttons selected before and after the change. */
interface Choice {
  readonly from: string;
  readonly to: string;
}

interface EditorOptions {
  readonly tool: string;
  /** Called after a change of the text, with whether it was typed, and the value of the radio button to select, if any. */
  onChange(isTyped: boolean, choice: string | undefined): void;
  /** Called when Escape is pressed in the editor. Returns whether the focus has moved out of the editor. */
  onLeave(): boolean;
  /** Called after a move of the caret, with its line and column as text, and the JSON path of the value there or an empty text. */
  onCaret(place: string, path: string): void;
}

/** Settings that the browser stores between visits. */
interface Remembered {
  readonly theme?: string;
  readonly tool?: string;
  /** Options of each tool, as in the page's URL, such as `length=24`. */
  readonly options?: Readonly<Record<string, string>>;
}
