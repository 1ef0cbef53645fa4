/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The types that the page's modules share. Not served. */

/** The values of a form's controls by their names; `input` is the exact text. */
type Values = Readonly<Record<string, string>>;

type Timer = ReturnType<typeof setTimeout> | undefined;

/** The body or the query of a call. */
type Fields = Readonly<Record<string, string | number>>;

interface ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

interface SendOptions {
  readonly signal: AbortSignal;
  /** Called with the share of a large body that is sent. */
  readonly onProgress?: (share: number) => void;
}

/** A call to be written as code: its body, empty where it has none, and whether that is in a file. */
interface Code {
  readonly url: string;
  readonly json: string;
  readonly isFile: boolean;
}

type Answer = Readonly<Record<string, unknown>>;

/** The reply to a call: an answer, a refusal, or a failure before either. */
type Reply = { readonly answer: Answer } | { readonly error: string } | Failure;

interface Failure {
  readonly failure: string;
  /** When to try again, in seconds. */
  readonly retryAfter?: number;
}

/** A valid answer, as it is shown. */
interface Result {
  readonly result: string;
  /** Shown instead of an empty result. */
  readonly note?: string;
  /** The announcement to screen readers. */
  readonly spoken?: string;
  /** Digests by the names of their algorithms. */
  readonly digests?: Readonly<Record<string, string>>;
  /** The header and the payload of a JSON Web Token. */
  readonly parts?: readonly string[];
  /** The bytes that the result shows, which are not text, and what they are. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly kind?: { name: string; type: string; end: string };
  readonly bits?: number;
  readonly rating?: string;
}

/** An error in the values of a call: its words, and its offset in the input. */
interface Problem {
  readonly wrong: string;
  readonly offset?: number | undefined;
  /** Repairs of the input, which the service has found valid. */
  readonly repairs?: readonly Suggestion[];
}

/** A result, a problem or a failure, by the member that it has. */
type Outcome = Partial<Result & Problem & Failure>;

/** Makes a call's request with some values changed. */
type Ask = (changes: Values) => Promise<Reply>;

/** The differences between the tools. */
interface Kind {
  /** The changed values of each request of a call; one unchanged request where there is none. */
  requests?(values: Values): readonly Values[];
  /** The changed values of the request that the code shows. */
  describe?(values: Values): Values;
  /** Reads the answers to the requests; nothing where they are not the service's. */
  read(
    answers: readonly Answer[],
    values: Values,
  ): Result | Problem | undefined;
}

/** A call: its values and its outcome. */
interface Call {
  readonly values: Values;
  readonly stop: AbortController;
  outcome?: Outcome;
}

interface CallsOptions {
  /** The tool. */
  readonly name: string;
  readonly defaults: Values;
  /** Called when a call is made. */
  onStart(): void;
  /** Called with the share of a large body that is sent. */
  onProgress(share: number): void;
  /** Called with the outcome of the newest call, and again when repairs are found. */
  onOutcome(call: Call, outcome: Outcome): void;
}

/** The visible parts of a tool. */
interface State {
  /** Whether the newest call has the values of the form. */
  readonly isLatest: boolean;
  readonly latest: Call | undefined;
  /** The text of the input, where there is one. */
  readonly input: string | undefined;
  /** The outcome with the result on the page. */
  readonly shown: Outcome | undefined;
  /** The fields of the call that the form describes. */
  readonly fields: Fields;
}

/** A button of a message: its effect, the text that it brings, and the action or the tool that the text is for. */
interface Button {
  readonly label: string;
  readonly act: string;
  readonly value?: string;
  readonly to?: string;
}

/** A change of the input that one click makes: the reason, the button, the new input, and what that is for. */
interface Suggestion {
  readonly says: string;
  readonly label: string;
  readonly value: string;
  /** An action of the tool, by default the same, or another tool. */
  readonly to?: string;
}

interface MessageOptions {
  readonly buttons?: readonly Button[];
  /** `wrong`, the default, `hint`, or `notice`, which is not about the newest call. */
  readonly kind?: string;
}

/** A radio button that a change of the text switches, by values. */
interface Choice {
  readonly from: string;
  readonly to: string;
}

interface EditorOptions {
  readonly tool: string;
  /** Follows a change: whether it was typed, and the choice that it brings. */
  onChange(isTyped: boolean, choice: string | undefined): void;
  /** Leaves the editor; returns whether it is left. */
  onLeave(): boolean;
  /** Follows the caret: its line and column, and its path in JSON. */
  onCaret(place: string, path: string): void;
}

/** The settings of the last visit. */
interface Remembered {
  readonly theme?: string;
  readonly tool?: string;
  /** Options by tools, as in the address. */
  readonly options?: Readonly<Record<string, string>>;
}
