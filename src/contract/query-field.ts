import { type TSchema, Type } from "typebox";

/** A decoded value, or the sentence of the violation. */
export type Decoded<T> = { readonly value: T } | { readonly violation: string };

/** One query parameter: its schema for the documents, how its text is read, and its canonical text. */
export interface QueryField<T = unknown> {
  readonly schema: TSchema;
  readonly description: string;
  /** True where a missing value is a violation. */
  readonly required: boolean;
  /** `values` are the non-empty texts given, in order; none means not given. `now` is epoch ms. */
  decode(values: readonly string[], now: number): Decoded<T>;
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

/** A text as it was given; absent is empty. */
export function text(description: string): QueryField<string> {
  return {
    schema: Type.String({ default: "" }),
    description,
    required: false,
    decode: single("", (given) => ({ value: given })),
    canonical: (value) => value || undefined,
  };
}

/** An ISO country code in any case, given to `run` in upper case; absent is empty. */
export function countryCode(description: string): QueryField<string> {
  return { ...text(description), decode: single("", (given) => ({ value: given.trim().toUpperCase() })) };
}

/** One of a list of names, exactly as they are written; it must be given. */
export function requiredName(names: readonly string[], description: string): QueryField<string> {
  return {
    schema: Type.Enum([...names]),
    description,
    required: true,
    decode: single("", (given) =>
      names.includes(given)
        ? { value: given }
        : { violation: `must be one of the documented values, got ${quoted(given)}` },
    ),
    canonical: (value) => value,
  };
}

/** Digits that a double holds exactly, far beyond any calendar. */
const INSTANT = "^-?[0-9]{1,15}$";
const instantPattern = new RegExp(INSTANT);

/** An instant in epoch milliseconds, as text of digits; 0 and absent are not given. */
export function instant(description: string): QueryField<number | undefined> {
  return {
    schema: Type.String({ format: "int64", pattern: INSTANT }),
    description,
    required: false,
    decode: single<number | undefined>(undefined, (given) =>
      instantPattern.test(given)
        ? { value: Number(given) || undefined }
        : { violation: `must be epoch milliseconds of at most 15 digits, got ${quoted(given)}` },
    ),
    canonical: (value) => (value === undefined ? undefined : String(value)),
  };
}

interface TextsOptions {
  /** What each must look like, in the syntax of a JSON Schema. Without one all texts are taken, and empty ones dropped. */
  readonly pattern?: string;
  readonly itemsMax?: number;
  /** Of each value as it is sent, commas included. */
  readonly charactersMax?: number;
  /** Given to `run` in upper case, without spaces around them. */
  readonly inUpperCase?: true;
}

/** Texts given one by one (`a=X&a=Y`), joined by commas (`a=X,Y`) or both, each once, in the order given; absent is none. */
export function texts(description: string, options: TextsOptions = {}): QueryField<readonly string[]> {
  const { pattern, itemsMax, charactersMax = Number.POSITIVE_INFINITY, inUpperCase } = options;
  const shape = new RegExp(pattern ?? "", "u");
  const item = Type.String({
    ...(pattern !== undefined && { pattern }),
    ...(options.charactersMax !== undefined && { maxLength: charactersMax }),
  });
  const itemsOf = (value: string): readonly string[] => {
    const given = inUpperCase ? value.split(",").map((one) => one.trim().toUpperCase()) : value.split(",");
    return pattern === undefined ? given.filter((one) => one !== "") : given;
  };
  return {
    schema: Type.Array(item, { ...(itemsMax !== undefined && { maxItems: itemsMax }), default: [] }),
    description: `${description}. Repeat the parameter or join values by commas${itemsMax === undefined ? "" : `, at most ${itemsMax}`}`,
    required: false,
    decode(values) {
      const long = values.find((given) => Array.from(given).length > charactersMax);
      if (long !== undefined) {
        return { violation: `must have at most ${charactersMax} characters in each value, got ${quoted(long)}` };
      }
      const value = [...new Set(values.flatMap(itemsOf))];
      const wrong = value.find((one) => !shape.test(one));
      if (wrong !== undefined) return { violation: `each must match ${pattern}, got ${quoted(wrong)}` };
      if (itemsMax !== undefined && value.length > itemsMax)
        return { violation: `must be at most ${itemsMax} values, got ${value.length}` };
      return { value };
    },
    canonical: (value) => (value.length === 0 ? undefined : value.join(",")),
  };
}

const INT32_MAX = 2_147_483_647;

/**
 * A whole number of at least 0; absent is 0, which stands for the default. `refuse` is the sentence for a number other
 * than 0 that the parameter does not take, or undefined.
 */
export function int32(
  description: string,
  refuse: (value: number, now: number) => string | undefined = () => undefined,
): QueryField<number> {
  return {
    schema: Type.Integer({ format: "int32", minimum: 0, default: 0 }),
    description,
    required: false,
    decode: (values, now) =>
      single(0, (given) => {
        const whole = wholeNumber(given);
        if ("violation" in whole || whole.value === 0) return whole;
        const { value } = whole;
        if (value > INT32_MAX) return { violation: `must not exceed ${INT32_MAX}, got ${quoted(given)}` };
        const refusal = refuse(value, now);
        return refusal === undefined ? whole : { violation: refusal };
      })(values),
    canonical: (value) => (value === 0 ? undefined : String(value)),
  };
}

/** A whole number of at most `max`; 0 and absent are `otherwise`. */
export function int32UpTo(description: string, max: number, otherwise: number): QueryField<number> {
  const whole = int32(description, (value) => (value > max ? `must not exceed ${max}, got ${value}` : undefined));
  return {
    schema: Type.Integer({ format: "int32", minimum: 0, maximum: max, default: otherwise }),
    description: `${description}, 1 to ${max}; 0 or none means ${otherwise}`,
    required: false,
    decode(values, now) {
      const decoded = whole.decode(values, now);
      return "value" in decoded ? { value: decoded.value || otherwise } : decoded;
    },
    canonical: (value) => (value === otherwise ? undefined : String(value)),
  };
}

/** Rows per page: 0 and absent are the most there can be, and so is anything above it. */
export function pageSize(sizeMax: number): QueryField<number> {
  return {
    schema: Type.Integer({ format: "int32", minimum: 0, default: 0 }),
    description: `Rows per page; 0 or none means ${sizeMax}, and more than that counts as ${sizeMax}`,
    required: false,
    decode: single(sizeMax, (given) => {
      const whole = wholeNumber(given);
      return "violation" in whole ? whole : { value: Math.min(whole.value || sizeMax, sizeMax) };
    }),
    canonical: (value) => (value === sizeMax ? undefined : String(value)),
  };
}

export function wholeNumber(given: string): Decoded<number> {
  if (!/^-?\d+$/.test(given)) return { violation: `must be a whole number, got ${quoted(given)}` };
  const value = Number(given);
  // "-0" is no less than 0, and must not become a zero of its own.
  return value < 0 ? { violation: `must not be negative, got ${quoted(given)}` } : { value: Math.abs(value) };
}

/** One of a list of names that the contract accepts and then ignores; `<prefix>_UNSPECIFIED` is like not given. */
export function ignoredName(names: readonly string[], description: string): QueryField<undefined> {
  return {
    schema: Type.Enum([...names]),
    description,
    required: false,
    decode: single(undefined, (given) =>
      names.includes(given) || given.endsWith("_UNSPECIFIED")
        ? { value: undefined }
        : { violation: `must be one of ${names.join(", ")}, got ${quoted(given)}` },
    ),
    canonical: () => undefined,
  };
}

/** A whole number that the contract accepts and then ignores. */
export function ignoredInt32(description: string): QueryField<undefined> {
  return ignored(int32(description));
}

/** A text that the contract accepts and then ignores. */
export function ignoredText(description: string): QueryField<undefined> {
  return ignored(text(description));
}

function ignored(field: QueryField<unknown>): QueryField<undefined> {
  return {
    ...field,
    decode(values, now) {
      const decoded = field.decode(values, now);
      return "violation" in decoded ? decoded : { value: undefined };
    },
    canonical: () => undefined,
  };
}

/** Reads a parameter that may be given once. */
export function single<T>(absent: T, read: (given: string) => Decoded<T>): (values: readonly string[]) => Decoded<T> {
  return (values) => {
    const [given, second] = values;
    if (given === undefined) return { value: absent };
    if (second !== undefined) return { violation: `must be given once, got ${values.length} values` };
    return read(given);
  };
}

const QUOTED_CHARACTERS_MAX = 40;

/** The text as a caller may see it again: cut, and without control characters. */
export function quoted(given: string): string {
  const printable = given.replace(/\p{C}/gu, "?");
  const cut = printable.length > QUOTED_CHARACTERS_MAX ? `${printable.slice(0, QUOTED_CHARACTERS_MAX)}…` : printable;
  return `"${cut}"`;
}
