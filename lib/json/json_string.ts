/** A string in JSON notation, in quotes and with escapes, which is written as it is. */
export class JsonString {
  constructor(readonly notation: string) {}

  toString(): string {
    return JSON.parse(this.notation);
  }

  /** Called by `JSON.stringify()`. */
  toJSON(): string {
    return this.toString();
  }
}
