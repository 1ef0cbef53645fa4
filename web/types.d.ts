/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Types shared by the modules of the page. This file is not served. */

/** Values of the controls of a form by their names. `input` is the exact text of the input. */
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
  /** Called with the sent fraction of a large body, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

/** A call to write as code. `json` is its body, empty for a GET request; `isFile` means that the body is in a file. */
interface Code {
  readonly url: string;
  readonly json: string;
  readonly isFile: boolean;
}

type Answer = Readonly<Record<string, unknown>>;

/** Reply to a request: an answer, an error message of the service, or a failure without either. */
type Reply = { readonly answer: Answer } | { readonly error: string } | Failure;

interface Failure {
  readonly failure: string;
  /** Pause before a retry, in seconds. */
  readonly retryAfter?: number;
}

/** The shown result of a valid answer. */
interface Result {
  readonly result: string;
  /** Text shown instead of an empty result. */
  readonly note?: string;
  /** Text announced to screen readers. */
  readonly spoken?: string;
  /** Digests by algorithm. */
  readonly digests?: Readonly<Record<string, string>>;
  /** Header and payload of a JSON Web Token. */
  readonly parts?: readonly string[];
  /** Decoded binary data, of which the result is a hex dump, and its type. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly kind?: { name: string; type: string; end: string };
  /** Entropy of a password in bits, the strength named by the service, and a text with both. */
  readonly bits?: number;
  readonly level?: string;
  readonly rating?: string;
}

/** An error in the values of a call: the message, and the offset in the input. */
interface Problem {
  readonly wrong: string;
  readonly offset?: number | undefined;
  /** Repairs of the input that the service has found valid. */
  readonly repairs?: readonly Suggestion[];
}

/** Outcome of a call: a result, a problem or a failure, told apart by their properties. */
type Outcome = Partial<Result & Problem & Failure>;

/** Sends a request of a call, with some values changed. */
type Ask = (changes: Values) => Promise<Reply>;

/** Differences between the tools. */
interface Kind {
  /** Returns the changed values for each request of a call. By default a call is one unchanged request. */
  requests?(values: Values): readonly Values[];
  /** Returns the changed values of the request shown as code. */
  describe?(values: Values): Values;
  /** Reads the answers. Returns undefined if they are not from this service. */
  read(
    answers: readonly Answer[],
    values: Values,
  ): Result | Problem | undefined;
}

/** A call with its values, and its outcome after the reply. */
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
  /** Called with the sent fraction of a large body, 0 to 1. */
  onProgress(share: number): void;
  /** Called with the outcome of the newest call, and again if repairs are found. */
  onOutcome(call: Call, outcome: Outcome): void;
}

/** The values of a tool, its latest call and its outcome, from which `showState()` draws the page. */
interface State {
  /** Whether the newest call has the current values. */
  readonly isLatest: boolean;
  readonly latest: Call | undefined;
  /** Text of the input, if the tool has one. */
  readonly input: string | undefined;
  /** Outcome with the shown result. */
  readonly shown: Outcome | undefined;
  /** Fields of the call for the code. */
  readonly fields: Fields;
}

/** A button of a message: label, action (`data-act`), value, and the option or tool that it switches to. */
interface Button {
  readonly label: string;
  readonly act: string;
  readonly value?: string;
  readonly to?: string;
}

/** A suggested change of the input: the reason, the label of the button, and the new input. */
interface Suggestion {
  readonly says: string;
  readonly label: string;
  readonly value: string;
  /** The option, or the other tool, that the new input is for. By default nothing is switched. */
  readonly to?: string;
}

interface MessageOptions {
  readonly buttons?: readonly Button[];
  /** `wrong` (default), `hint`, or `notice` for a message that is not about a call. */
  readonly kind?: string;
}

/** Values of the radio buttons selected before and after a change of the text. */
interface Choice {
  readonly from: string;
  readonly to: string;
}

interface EditorOptions {
  readonly tool: string;
  /** Called after a change of the text: whether it was typed, and the radio button that it selects. */
  onChange(isTyped: boolean, choice: string | undefined): void;
  /** Called after Escape. Returns whether the editor has lost the focus. */
  onLeave(): boolean;
  /** Called after a move of the caret: its line and column, and its JSON path. */
  onCaret(place: string, path: string): void;
}

/** Settings stored between visits. */
interface Remembered {
  readonly theme?: string;
  readonly tool?: string;
  /** Options by tool, in the notation of the address. */
  readonly options?: Readonly<Record<string, string>>;
}
