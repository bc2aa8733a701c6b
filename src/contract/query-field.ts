import { type TSchema, Type } from "typebox";

/** A decoded value, with the text of an unknown country if there is one, or the message of a violation. */
export type Decoded<T> = { readonly value: T; readonly unknownCountry?: string } | { readonly violation: string };

/** One query parameter: its schema for the OpenAPI document, its decoder and its canonical text. */
export interface QueryField<T = unknown> {
  readonly schema: TSchema;
  readonly description: string;
  /** True if a missing value is a violation. */
  readonly required: boolean;
  /** True for a parameter whose removal is announced. */
  readonly deprecated?: true;
  /** True for a parameter that is accepted and has no effect. */
  readonly isIgnored?: true;
  /**
   * `values` are the non-empty values in the order sent; an empty list means that the parameter is absent. `now` is
   * epoch ms.
   */
  decode(values: readonly string[], now: number): Decoded<T>;
  /** The canonical text of the value, for cache keys and ETags; undefined for the default. */
  canonical(value: T): string | undefined;
}

export type QueryFields = Readonly<Record<string, QueryField<never> | QueryField<unknown>>>;

/** The values that `run` receives for the declared fields. */
export type QueryOf<Q> = { readonly [K in keyof Q]: Q[K] extends QueryField<infer T> ? T : never };

/**
 * Declares a parameter that is true or false, in upper or lower case, or 1 or 0. If it is absent, the value is false.
 * Any other text is a violation and does not silently count as false.
 */
export function flag(description: string): QueryField<boolean> {
  return {
    schema: Type.Boolean({ default: false }),
    description,
    required: false,
    decode: single(false, (text) => {
      const lower = text.toLowerCase();
      if (lower === "true" || lower === "1") return { value: true };
      if (lower === "false" || lower === "0") return { value: false };
      return { violation: `must be true or false, got ${quoted(text)}` };
    }),
    canonical: (value) => (value ? "true" : undefined),
  };
}

/** Maximum length of a parameter that names something, in characters; longer than any real name. */
export const NAME_CHARACTERS_MAX = 64;

/**
 * Declares a string of at most `charactersMax` characters, which `run` receives unchanged. If it is absent, the value
 * is empty.
 */
export function text(description: string, charactersMax = NAME_CHARACTERS_MAX): QueryField<string> {
  return {
    schema: Type.String({ maxLength: charactersMax, default: "" }),
    description,
    required: false,
    decode: single("", (raw) => (isLonger(raw, charactersMax) ? tooLong(raw, charactersMax) : { value: raw })),
    canonical: (value) => value || undefined,
  };
}

/** True for a string with more than `charactersMax` code points, the unit of JSON Schema. */
export function isLonger(raw: string, charactersMax: number): boolean {
  // A code point is one or two UTF-16 units, so most strings need no counting.
  if (raw.length <= charactersMax) return false;
  return raw.length > 2 * charactersMax || Array.from(raw).length > charactersMax;
}

function tooLong(raw: string, charactersMax: number): { readonly violation: string } {
  return { violation: `must have at most ${charactersMax} characters, got ${quoted(raw)}` };
}

/** Marks a parameter as deprecated. */
export function deprecated<T>(field: QueryField<T>): QueryField<T> {
  return { ...field, deprecated: true };
}

/**
 * Declares a string that `normal` normalises, so that all spellings of a value are one query. If it is absent, the
 * value is `normal("")`.
 */
export function normalText(description: string, normal: (raw: string) => string): QueryField<string> {
  const absent = normal("");
  return {
    ...text(description),
    decode: single(absent, (raw) =>
      isLonger(raw, NAME_CHARACTERS_MAX) ? tooLong(raw, NAME_CHARACTERS_MAX) : { value: normal(raw) },
    ),
    canonical: (value) => (value === absent ? undefined : value),
  };
}

/**
 * Declares a country, sent as its code or name. `run` receives the code that `codeOf` returns. For an unknown country,
 * `run` receives the text in lower case, and the answer has a notice. If the parameter is absent, the value is empty.
 */
export function country(description: string, codeOf: (raw: string) => string | undefined): QueryField<string> {
  return {
    ...text(description),
    decode: single("", (raw) => {
      // Checked before trimming, because the documented maxLength applies to the text that was sent.
      if (isLonger(raw, NAME_CHARACTERS_MAX)) return tooLong(raw, NAME_CHARACTERS_MAX);
      const name = raw.trim();
      if (name === "") return { value: "" };
      const code = codeOf(name);
      return code === undefined ? { value: name.toLowerCase(), unknownCountry: name } : { value: code };
    }),
  };
}

/** Declares a required two-letter code from a list. The code is case-sensitive. */
export function requiredCode(codes: readonly string[], description: string): QueryField<string> {
  return {
    schema: Type.String({ pattern: patternOf(codes) }),
    description,
    required: true,
    decode: single("", (raw) =>
      codes.includes(raw) ? { value: raw } : { violation: `must be one of the documented values, got ${quoted(raw)}` },
    ),
    canonical: (value) => value,
  };
}

/** Returns a pattern that matches exactly these codes. It is a third as long as an enum of the codes. */
function patternOf(codes: readonly string[]): string {
  const seconds = new Map<string, string>();
  for (const [first = "", second = ""] of codes) seconds.set(first, (seconds.get(first) ?? "") + second);
  return `^(?:${[...seconds].map(([first, second]) => `${first}[${second}]`).join("|")})$`;
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const INSTANT = "^-?[0-9]{1,19}$";
const instantPattern = new RegExp(INSTANT);

/**
 * Declares an instant in epoch milliseconds, as an int64; 0 counts as absent. For an instant beyond 2^53, which is
 * outside the range of `Date`, `run` receives the nearest double.
 */
export function instant(description: string): QueryField<number | undefined> {
  return {
    schema: Type.String({ format: "int64", pattern: INSTANT }),
    description,
    required: false,
    decode: single<number | undefined>(undefined, (raw) =>
      instantPattern.test(raw) && isInt64(BigInt(raw))
        ? { value: Number(raw) || undefined }
        : { violation: `must be epoch milliseconds as an int64, got ${quoted(raw)}` },
    ),
    canonical: (value) => (value === undefined ? undefined : String(value)),
  };
}

function isInt64(value: bigint): boolean {
  return value >= INT64.min && value <= INT64.max;
}

/** Maximum length of a comma-separated list of names, in characters. */
const LIST_CHARACTERS_MAX = 500;

interface TextsOptions {
  /** The pattern of each string, in the syntax of JSON Schema. */
  readonly pattern?: string;
  readonly itemsMax?: number;
  /**
   * Maximum length of each occurrence of the parameter, in characters, commas included. Default: `LIST_CHARACTERS_MAX`.
   */
  readonly charactersMax?: number;
  /** True if case is ignored. `run` receives the strings trimmed and in upper case. */
  readonly inUpperCase?: true;
  /** The value if the parameter is absent. */
  readonly fallback?: readonly string[];
  /** Maximum number of strings that are used; further strings are ignored. */
  readonly countedMax?: number;
  /** True if the order of the strings has no meaning. `run` receives them sorted. */
  readonly isSet?: true;
}

/**
 * Declares a list of strings, which are repeated (`a=X&a=Y`), joined by commas (`a=X,Y`) or both. Duplicates and empty
 * strings are dropped; the order is kept unless `isSet` is true. If the parameter is absent, the value is `fallback` or
 * else an empty list.
 */
export function texts(description: string, options: TextsOptions = {}): QueryField<readonly string[]> {
  const { pattern, itemsMax, charactersMax = LIST_CHARACTERS_MAX, fallback = [] } = options;
  const shape = new RegExp(pattern ?? "", "u");
  const item = Type.String({
    ...(pattern !== undefined && { pattern }),
    maxLength: charactersMax,
  });
  const itemsOf = (value: string): readonly string[] => {
    const items = value.split(",");
    return (options.inUpperCase ? items.map((item) => item.trim().toUpperCase()) : items).filter((item) => item !== "");
  };
  const counted = (items: readonly string[]): readonly string[] => {
    const first = items.slice(0, options.countedMax);
    return options.isSet ? first.sort() : first;
  };
  const absent = counted(fallback);
  const canonicalAbsent = absent.join(",");
  return {
    schema: Type.Array(item, { ...(itemsMax !== undefined && { maxItems: itemsMax }), default: [] }),
    description: `${description}; repeated or joined by commas${itemsMax === undefined ? "" : `, at most ${itemsMax}`}`,
    required: false,
    decode(values) {
      const long = values.find((raw) => isLonger(raw, charactersMax));
      if (long !== undefined) {
        return { violation: `must have at most ${charactersMax} characters in each value, got ${quoted(long)}` };
      }
      const items = [...new Set(values.flatMap(itemsOf))];
      const wrong = items.find((item) => !shape.test(item));
      if (wrong !== undefined) return { violation: `each value must match ${pattern}, got ${quoted(wrong)}` };
      if (itemsMax !== undefined && items.length > itemsMax)
        return { violation: `must have at most ${itemsMax} values, got ${items.length}` };
      return { value: items.length === 0 ? absent : counted(items) };
    },
    canonical: (value) => {
      const joined = value.join(",");
      return joined === canonicalAbsent ? undefined : joined;
    },
  };
}

/**
 * Declares a list of names of an enum, in full (`COLOUR_RED`) or short (`red`), repeated or joined by commas. `run`
 * receives the short names, sorted. `prefix` is the common beginning of the full names.
 */
export function enumNames(
  description: string,
  fullNames: readonly string[],
  prefix: string,
): QueryField<readonly string[]> {
  const ends = fullNames.map((name) => name.slice(prefix.length));
  const pattern = `^(?:${ends.map((end) => end.toLowerCase()).join("|")}|${prefix}(?:${ends.join("|")}))$`;
  const names = texts(description, { pattern, itemsMax: fullNames.length });
  const shortOf = (name: string): string => name.slice(name.startsWith(prefix) ? prefix.length : 0).toLowerCase();
  return {
    ...names,
    decode(values, now) {
      const decoded = names.decode(values, now);
      return "violation" in decoded ? decoded : { value: [...new Set(decoded.value.map(shortOf))].sort() };
    },
  };
}

const INT32_MAX = 2_147_483_647;

/**
 * Declares a whole number of at least 0. If it is absent, the value is 0, which means the default. `refuse` is called
 * for a number other than 0. It returns a violation, or undefined if the number is valid.
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
      single(0, (raw) => {
        const whole = wholeNumber(raw);
        if ("violation" in whole || whole.value === 0) return whole;
        const { value } = whole;
        if (value > INT32_MAX) return { violation: `must not exceed ${INT32_MAX}, got ${quoted(raw)}` };
        const refusal = refuse(value, now);
        return refusal === undefined ? whole : { violation: refusal };
      })(values),
    canonical: (value) => (value === 0 ? undefined : String(value)),
  };
}

/** Declares a whole number of at least 0. If it is 0 or absent, the value is `otherwise`. */
export function int32Or(description: string, otherwise: number): QueryField<number> {
  const whole = int32(description);
  return {
    ...whole,
    decode(values, now) {
      const decoded = whole.decode(values, now);
      return "value" in decoded ? { value: decoded.value || otherwise } : decoded;
    },
    canonical: (value) => (value === otherwise ? undefined : String(value)),
  };
}

/** Declares a whole number from 0 to `max`. If it is 0 or absent, the value is `otherwise`. */
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

/**
 * Declares the number of rows per page. If it is 0 or absent, the value is `fallback`; if it is above `sizeMax`, the
 * value is `sizeMax`.
 */
export function pageSize(sizeMax: number, fallback = sizeMax): QueryField<number> {
  return {
    schema: Type.Integer({ format: "int32", minimum: 0, default: 0 }),
    description: `Rows per page; default ${fallback}, more${fallback === sizeMax ? "" : ` than ${sizeMax}`} counts as ${sizeMax}`,
    required: false,
    decode: single(fallback, (raw) => {
      const whole = wholeNumber(raw);
      return "violation" in whole ? whole : { value: Math.min(whole.value || fallback, sizeMax) };
    }),
    canonical: (value) => (value === fallback ? undefined : String(value)),
  };
}

export function wholeNumber(raw: string): Decoded<number> {
  if (!/^-?\d+$/.test(raw)) return { violation: `must be a whole number, got ${quoted(raw)}` };
  const value = Number(raw);
  // "-0" is not negative, and must become the same value as 0.
  return value < 0 ? { violation: `must not be negative, got ${quoted(raw)}` } : { value: Math.abs(value) };
}

/** A whole number that the contract accepts and then ignores. */
export function ignoredInt32(description: string): QueryField<undefined> {
  return ignored(int32(description));
}

/** A string that the contract accepts and then ignores. Also used for an ignored enum, since any name is accepted. */
export function ignoredText(description: string): QueryField<undefined> {
  return ignored({ schema: Type.String({ default: "" }), description });
}

/**
 * Declares a parameter that is ignored, whatever its values are and however often it is sent. The schema is only for
 * the OpenAPI document.
 */
export function ignored({ schema, description }: Pick<QueryField, "schema" | "description">): QueryField<undefined> {
  return {
    schema,
    description,
    required: false,
    isIgnored: true,
    decode: () => ({ value: undefined }),
    canonical: () => undefined,
  };
}

/** Returns a decoder for a parameter that may be sent at most once. */
export function single<T>(absent: T, read: (raw: string) => Decoded<T>): (values: readonly string[]) => Decoded<T> {
  return (values) => {
    const [raw, second] = values;
    if (raw === undefined) return { value: absent };
    if (second !== undefined) return { violation: `must be given once, got ${values.length} values` };
    return read(raw);
  };
}

const QUOTED_CHARACTERS_MAX = 40;

/** Quotes a caller's text for a message, shortened and without control characters. */
export function quoted(raw: string): string {
  const printable = raw.replace(/\p{C}/gu, "?");
  const cut = printable.length > QUOTED_CHARACTERS_MAX ? `${printable.slice(0, QUOTED_CHARACTERS_MAX)}…` : printable;
  return `"${cut}"`;
}
