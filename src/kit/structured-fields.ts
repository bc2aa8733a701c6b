/** A token, such as `gzip`. */
export interface Token {
  readonly token: string;
}

export type BareItem = number | string | boolean | Token | Buffer;

export type Parameters = ReadonlyMap<string, BareItem>;

export interface Item {
  readonly value: BareItem;
  readonly parameters: Parameters;
}

export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

export type Dictionary = ReadonlyMap<string, Item | InnerList>;

/**
 * Parses a dictionary of structured fields (RFC 9651). Returns undefined if the text is not a valid dictionary, or if
 * the dictionary contains dates or display strings, which are not supported. Base64 must be in its canonical form.
 */
export function dictionaryIn(text: string): Dictionary | undefined {
  try {
    return new FieldReader(text).dictionary();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

export function isInnerList(member: Item | InnerList): member is InnerList {
  return "items" in member;
}

/**
 * An inner list as RFC 9651 serialises it, except that a whole decimal becomes an integer: `1.0` becomes `1`. The same
 * is true of `itemText`.
 */
export function innerListText({ items, parameters }: InnerList): string {
  return `(${items.map(itemText).join(" ")})${parametersText(parameters)}`;
}

/** An item as text. */
export function itemText({ value, parameters }: Item): string {
  return bareItemText(value) + parametersText(parameters);
}

function parametersText(parameters: Parameters): string {
  return [...parameters]
    .map(([name, value]) => (value === true ? `;${name}` : `;${name}=${bareItemText(value)}`))
    .join("");
}

function bareItemText(value: BareItem): string {
  if (typeof value === "string") return `"${value.replace(/["\\]/g, "\\$&")}"`;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "?1" : "?0";
  return Buffer.isBuffer(value) ? `:${value.toString("base64")}:` : value.token;
}

class Malformed extends Error {}

const KEY = /[a-z*][a-z0-9_.*-]*/y;
const STRING = /"(?:[ !#-[\]-~]|\\["\\])*"/y;
const NUMBER = /-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y;
const TOKEN = /[A-Za-z*][!#$%&'*+.^_`|~\w:/-]*/y;
const BYTES = /:[A-Za-z0-9+/]*={0,2}:/y;
const BOOLEAN = /\?[01]/y;
const SPACES = / */y;
const OPTIONAL_SPACE = /[ \t]*/y;

class FieldReader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  dictionary(): Dictionary {
    const members = new Map<string, Item | InnerList>();
    this.expect(SPACES);
    while (this.at < this.text.length) {
      const name = this.expect(KEY);
      members.set(name, this.accepts("=") ? this.member() : { value: true, parameters: this.parameters() });
      this.expect(OPTIONAL_SPACE);
      if (this.at === this.text.length) return members;
      if (!this.accepts(",")) throw new Malformed();
      this.expect(OPTIONAL_SPACE);
      if (this.at === this.text.length) throw new Malformed();
    }
    return members;
  }

  private member(): Item | InnerList {
    return this.accepts("(") ? this.innerList() : this.item();
  }

  private innerList(): InnerList {
    const items: Item[] = [];
    for (;;) {
      const hasSpace = this.expect(SPACES) !== "";
      if (this.accepts(")")) return { items, parameters: this.parameters() };
      if (items.length > 0 && !hasSpace) throw new Malformed();
      items.push(this.item());
    }
  }

  private item(): Item {
    return { value: this.bareItem(), parameters: this.parameters() };
  }

  private parameters(): Parameters {
    const parameters = new Map<string, BareItem>();
    while (this.accepts(";")) {
      this.expect(SPACES);
      const name = this.expect(KEY);
      parameters.set(name, this.accepts("=") ? this.bareItem() : true);
    }
    return parameters;
  }

  private bareItem(): BareItem {
    const string = this.take(STRING);
    if (string !== undefined) return string.slice(1, -1).replace(/\\(["\\])/g, "$1");
    const bytes = this.take(BYTES);
    if (bytes !== undefined) return bytesIn(bytes.slice(1, -1));
    const number = this.take(NUMBER);
    if (number !== undefined) return Number(number);
    const boolean = this.take(BOOLEAN);
    if (boolean !== undefined) return boolean === "?1";
    return { token: this.expect(TOKEN) };
  }

  private accepts(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [match] = pattern.exec(this.text) ?? [];
    if (match !== undefined) this.at += match.length;
    return match;
  }

  private expect(pattern: RegExp): string {
    const match = this.take(pattern);
    if (match === undefined) throw new Malformed();
    return match;
  }
}

function bytesIn(base64: string): Buffer {
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) throw new Malformed();
  return bytes;
}
