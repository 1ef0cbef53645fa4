/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** The types that the page's modules share. Not served. */

/** The values of a form's controls by their names; `input` is the exact text. */
type Values = Readonly<Record<string, string>>;

/** The body or the query of a call. */
type Fields = Readonly<Record<string, string | number>>;

interface Endpoint {
  readonly path: string;
  readonly method: "GET" | "POST";
}

interface ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
}

/** A call to be written as code, with its body nowhere, in the text or in a file. */
interface Code {
  readonly url: string;
  readonly json: string;
  readonly source: "none" | "text" | "file";
}

type Answer = Readonly<Record<string, unknown>>;

/** The reply to a call: an answer, a refusal, or a failure before either. */
type Reply = { readonly answer: Answer } | { readonly error: string } | Failure;

interface Failure {
  readonly failure: string;
  /** Whether the same call would fail again. */
  readonly isFinal?: boolean;
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
  readonly bits?: number;
  readonly rating?: string;
}

/** An error in the input: its words, its controls, and its offset in the input. */
interface Problem {
  readonly wrong: string;
  readonly controls: readonly string[];
  readonly offset?: number | undefined;
}

type Outcome = Result | Problem | Failure;

/** Makes a call's request with some values changed. */
type Ask = (changes: Values) => Promise<Reply>;

/** The differences between the tools. */
interface Kind extends Endpoint {
  /** Fields that are sent with the default value too. */
  readonly always?: readonly string[];
  /** Fields that are numbers in JSON. */
  readonly numbers?: readonly string[];
  /** The changed values of each request of a call; one unchanged request where there is none. */
  readonly requests?: readonly Values[];
  /** Whether the empty text is sent too. */
  readonly takesNothing?: boolean;
  /** The name of a download. */
  readonly file?: string;
  /** Label of the button that makes the result the input. */
  readonly reuse?: string;
  /** The result before there is one, and an input to try, by the values of the form. */
  preview?(values: Values): { promise: string; example: string };
  /** The problem that is known before a call. */
  check?(values: Values): Problem | undefined;
  /** Reads the answers to the requests; nothing where they are not the service's. */
  read(
    answers: readonly Answer[],
    values: Values,
  ): Result | Problem | undefined;
  /** The problem behind a refusal with an error of the service. */
  explain?(values: Values, error: string): Problem | undefined;
}

/** A call: its values and its outcome. */
interface Call {
  readonly values: Values;
  readonly stop: AbortController;
  outcome?: Outcome;
}

/** A change of the input that one click makes. */
interface Suggestion {
  readonly says: string;
  readonly label: string;
  readonly text: string;
}

/** A button of a message. */
interface Action {
  readonly label: string;
  readonly act: () => unknown;
}

interface MessageOptions {
  readonly actions?: readonly Action[];
  /** `wrong`, the default, or `hint`. */
  readonly kind?: string;
  /** Whether it is not about the newest call. */
  readonly isNotice?: boolean;
}

/** A radio button that a change of the text switches, by values. */
interface Choice {
  readonly from: string;
  readonly to: string;
}

/** The place of the caret; line and column count from 1, columns in code points. */
interface Caret {
  readonly line: number;
  readonly column: number;
  /** Length of the selection in UTF-16 code units. */
  readonly selected: number;
  /** JSON path of the value there, or nothing. */
  readonly path: string;
}

interface EditorEvents {
  onChange?(isTyped: boolean): void;
  onChoice?(value: string): void;
  onCaret?(caret: Caret): void;
}

interface EditorOptions extends EditorEvents {
  readonly id: string;
  readonly label: string;
  readonly isJson: boolean;
  readonly isInput: boolean;
  readonly hint?: string;
}

/** The settings of the last visit. */
interface Remembered {
  readonly theme?: string;
  readonly tool?: string;
  /** Options by tools, as in the address. */
  readonly options?: Readonly<Record<string, string>>;
}
