/// <reference no-default-lib="true" />
/// <reference lib="esnext" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** What the page's modules speak of. Not served. */

/** What the controls of a form say, by their names; `input` is the exact text. */
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

/** What came of a call: an answer, a refusal, or no word of the service. */
type Reply =
  | { readonly answer: Readonly<Record<string, unknown>> }
  | { readonly error: string }
  | Failure;

interface Failure {
  readonly failure: string;
  /** Whether it would be the same again. */
  readonly isFinal?: boolean;
  /** When to try again, in seconds. */
  readonly retryAfter?: number;
}

/** What a call brought. */
interface Result {
  readonly result: string;
  /** Shown where there is no text to show. */
  readonly note?: string;
  /** What those are told who hear the page. */
  readonly spoken?: string;
  readonly isJson?: boolean;
  readonly bits?: number;
  readonly rating?: string;
}

/** What is wrong, with which controls, and at which offset of the shown input. */
interface Problem {
  readonly wrong: string;
  readonly controls: readonly string[];
  readonly offset?: number | undefined;
}

type Outcome = Result | Problem | Failure;

/** Makes a call's request once more, with some values changed. */
type Ask = (changes: Values) => Promise<Reply>;

/** What makes a tool differ from the others. */
interface Kind extends Endpoint {
  /** Fields that are sent with the default value too. */
  readonly always?: readonly string[];
  /** Fields that are numbers in JSON. */
  readonly numbers?: readonly string[];
  /** Whether the empty text is worth a call. */
  readonly takesNothing?: boolean;
  /** Says what is wrong before a call. */
  check?(values: Values): Problem | undefined;
  /** Reads an answer; nothing where it is not the service's. */
  read(
    answer: Readonly<Record<string, unknown>>,
    values: Values,
  ): Result | Problem | undefined;
  /** Says what is wrong after a refusal. */
  explain?(
    values: Values,
    ask: Ask,
  ): Problem | undefined | Promise<Problem | undefined>;
}

/** A call: what it was made from, and what came of it. */
interface Call {
  readonly values: Values;
  readonly stop: AbortController;
  outcome?: Outcome;
}
