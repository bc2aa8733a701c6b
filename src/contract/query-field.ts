import { type TSchema, Type } from "typebox";

/** A decoded value, or the sentence of the violation. */
export type Decoded<T> = { readonly value: T } | { readonly violation: string };

/** One query parameter: its schema for the documents, how its text is read, and its canonical text. */
export interface QueryField<T = unknown> {
  readonly schema: TSchema;
  readonly description: string;
  /** True where a missing value is a violation. */
  readonly required: boolean;
  /** `values` are the non-empty texts given, in order; none means not given. */
  decode(values: readonly string[]): Decoded<T>;
  /** The text that stands for the value in cache keys and ETags; undefined for the default. */
  canonical(value: T): string | undefined;
}

export type QueryFields = Readonly<Record<string, QueryField<never> | QueryField<unknown>>>;

/** What `run` receives for the declared fields. */
export type QueryOf<Q> = { readonly [K in keyof Q]: Q[K] extends QueryField<infer T> ? T : never };

/** True or false; absent is false. Any other text is a violation rather than a silent false. */
export function flag(description: string): QueryField<boolean> {
  return {
    schema: Type.Boolean({ default: false }),
    description,
    required: false,
    decode: single(false, (text) => {
      if (text === "true") return { value: true };
      if (text === "false") return { value: false };
      return { violation: `must be true or false, got ${quoted(text)}` };
    }),
    canonical: (value) => (value ? "true" : undefined),
  };
}

function single<T>(absent: T, read: (text: string) => Decoded<T>): (values: readonly string[]) => Decoded<T> {
  return (values) => {
    const [text, second] = values;
    if (text === undefined) return { value: absent };
    if (second !== undefined) return { violation: `must be given once, got ${values.length} values` };
    return read(text);
  };
}

const QUOTED_CHARACTERS_MAX = 40;

/** The text as a caller may see it again: cut, and without control characters. */
function quoted(text: string): string {
  const printable = text.replace(/\p{C}/gu, "?");
  const cut = printable.length > QUOTED_CHARACTERS_MAX ? `${printable.slice(0, QUOTED_CHARACTERS_MAX)}…` : printable;
  return `"${cut}"`;
}
