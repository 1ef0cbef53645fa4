/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Types shared by the modules of the page. This file is not served. */

/** Values of the controls in the form of a tool, by the names of the controls. `input` is the text in the tool's input. */
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

/** A request to show as example code. `json` is its body, empty for a GET request. If `isFile` is true, the example code reads the body from a file instead. */
interface Code {
  readonly url: string;
  readonly json: string;
  readonly isFile: boolean;
}

type Answer = Readonly<Record<string, unknown>>;

/** Reply to a request: the JSON of a successful response (`answer`), the message of the service about an invalid request (`error`), or a failure such as a timeout. */
type Reply = { readonly answer: Answer } | { readonly error: string } | Failure;

interface Failure {
  readonly failure: string;
  /** Pause before the first repetition of the call, in seconds. If undefined, the call is not repeated. */
  readonly retryAfter?: number;
}

/** Result of a successful call. */
interface Result {
  readonly result: string;
  /** Text shown instead of an empty result. */
  readonly note?: string;
  /** Text to announce to screen readers. */
  readonly spoken?: string;
  /** Digests of the input in hexadecimal digits, by algorithm, such as `sha256`. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Decoded header and payload, if the input is a JSON Web Token. */
  readonly parts?: readonly string[];
  /** Decoded data that is not UTF-8 text; `kind` is then its type, and `result` a hex dump of it. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly kind?: { name: string; type: string; end: string };
  /** Only for passwords: the entropy in bits, the strength as the service names it (`level`), and a text with both (`rating`). */
  readonly bits?: number;
  readonly level?: string;
  readonly rating?: string;
}

/** An error in the input or the options: the message (`wrong`), and the offset of the error in the input, in UTF-16 code units, if it is known. */
interface Problem {
  readonly wrong: string;
  readonly offset?: number | undefined;
  /** Suggested repairs of an invalid JSON input. Each of them is valid JSON according to the service. */
  readonly repairs?: readonly Suggestion[];
}

/** Outcome of a call: a result (has the property `result`), a problem (has `wrong`) or a failure (has `failure`). */
type Outcome = Partial<Result & Problem & Failure>;

/** Function that sends one request of a call. `changes` replace some of the values of the call. */
type Ask = (changes: Values) => Promise<Reply>;

/** The functions of a tool that differ between the tools. */
interface Kind {
  /** Returns an entry for each request of a call: the values to change for this request. Without this function, a call sends one request, with unchanged values. */
  requests?(values: Values): readonly Values[];
  /** Returns the values to change for the example code. Without this function, the example code has the values of the form. */
  describe?(values: Values): Values;
  /** Converts the answers to the requests of a call to a result or a problem. Returns undefined for answers that are not from this service, such as from a proxy. */
  read(
    answers: readonly Answer[],
    values: Values,
  ): Result | Problem | undefined;
}

/** A call of the service: the values of the form at its start, the controller that cancels it (`stop`), and its outcome as soon as it is known. */
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
  /** Called with the outcome of the newest call. Called again if repairs of an invalid input are found. */
  onOutcome(call: Call, outcome: Outcome): void;
}

/** The state of a tool, as `showState()` in views.js shows it. */
interface State {
  /** Whether the newest call was made with the current values of the form. */
  readonly isLatest: boolean;
  readonly latest: Call | undefined;
  /** Text of the input, if the tool has one. */
  readonly input: string | undefined;
  /** Outcome whose result is shown: that of the last successful call, even if a newer call has failed. */
  readonly shown: Outcome | undefined;
  /** Fields of the request in the example code. */
  readonly fields: Fields;
}

/** A button in a message: its label, its action (`data-act`), the value for this action. `to` is the radio button that it selects or the tool that it opens. */
interface Button {
  readonly label: string;
  readonly act: string;
  readonly value?: string;
  readonly to?: string;
}

/** A suggested change of the input: the message that gives the reason (`says`), the label of the button, the new input (`value`). */
interface Suggestion {
  readonly says: string;
  readonly label: string;
  readonly value: string;
  /** Value of the radio button to select, such as `decode`, or name of the tool that opens with the new input. If undefined, button and tool stay the same. */
  readonly to?: string;
}

interface MessageOptions {
  readonly buttons?: readonly Button[];
  /** Kind of message: `wrong` for an error (default), `hint` for a suggestion, `notice` for a message that is not about a call. */
  readonly kind?: string;
}

/** A change of the selected radio button together with a change of the text: the values of the old button (`from`) and the new one (`to`). */
interface Choice {
  readonly from: string;
  readonly to: string;
}

interface EditorOptions {
  readonly tool: string;
  /** Called after a change of the text. `isTyped` is true if the user has typed it. `choice` is the value of a radio button to select, if any. */
  onChange(isTyped: boolean, choice: string | undefined): void;
  /** Called when Escape is pressed in the editor. Returns whether the focus has moved out of the editor. */
  onLeave(): boolean;
  /** Called after the caret has moved, with its line and column as text, and the JSON path of the value there (can be empty). */
  onCaret(place: string, path: string): void;
}

/** Settings that the browser stores between visits. */
interface Remembered {
  readonly theme?: string;
  readonly tool?: string;
  /** Options of each tool, as in the page's URL, such as `length=24`. */
  readonly options?: Readonly<Record<string, string>>;
}
