/**
 * One setting: its name in the environment and in `vigil.config.json`, its default as text, its reader and its purpose.
 */
export interface Setting<T> {
  readonly name: string;
  readonly default: string;
  readonly unit?: string;
  readonly description: string;
  /** True for a structured setting: JSON text in the environment, a plain JSON value in the file. */
  readonly isJson?: true;
  /** True if no message may contain its value. */
  readonly isSecret?: true;
  read(text: string): T;
}

export const text = (name: string, fallback: string, description: string): Setting<string> => ({
  name,
  default: fallback,
  description,
  read: (value) => value,
});

export const optionalText = (name: string, description: string): Setting<string | undefined> => ({
  name,
  default: "",
  description,
  read: (value) => (value === "" ? undefined : value),
});

/** An absolute address with one of these schemes, e.g. "http". The first scheme stands in the error. */
export const optionalAddress = (
  name: string,
  schemes: readonly [string, ...string[]],
  description: string,
): Setting<string | undefined> => ({
  ...optionalText(name, description),
  read: (value) => (value === "" ? undefined : checkedAddress(value, schemes)),
});

/** The address of a proxy. As in other programs, `host:port` stands for `http://host:port`. */
export const optionalProxy = (name: string, description: string): Setting<string | undefined> => ({
  ...optionalText(name, description),
  read: (value) =>
    value === "" ? undefined : checkedAddress(value.includes("://") ? value : `http://${value}`, ["http", "https"]),
});

function checkedAddress(text: string, schemes: readonly [string, ...string[]]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.hostname && schemes.some((scheme) => url.protocol === `${scheme}:`)) return text;
  throw new Error(`must be an address like ${schemes[0]}://host:port`);
}

/** A secret, which no message or listing shows. */
export const secretText = (name: string, description: string): Setting<string | undefined> => ({
  ...optionalText(name, description),
  isSecret: true,
});

/**
 * A structured setting: JSON text in the environment, plain JSON in the file. `fallback` applies while it is not set.
 */
export const json = <T>(name: string, fallback: T, description: string, parse: (value: unknown) => T): Setting<T> => ({
  name,
  default: "",
  description,
  isJson: true,
  read(value) {
    if (value === "") return fallback;
    let parsed: unknown;
    try {
      parsed = JSON.parse(value);
    } catch (error) {
      throw new Error(`must be JSON (${(error as Error).message})`);
    }
    return parse(parsed);
  },
});

export const list = (name: string, description: string): Setting<readonly string[]> => ({
  name,
  default: "",
  description,
  read: (value) =>
    value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
});

export const whole = (
  name: string,
  fallback: number,
  range: { readonly min: number; readonly max: number; readonly unit?: string },
  description: string,
): Setting<number> => ({
  name,
  default: String(fallback),
  ...(range.unit !== undefined && { unit: range.unit }),
  description,
  read(value) {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    throw new Error(`must be a whole number from ${range.min} to ${range.max}`);
  },
});

export const choice = <const T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
  description: string,
): Setting<T> => ({
  name,
  default: choices[0],
  description: `${description} One of ${choices.join(", ")}.`,
  read(value) {
    const chosen = choices.find((candidate) => candidate === value);
    if (chosen === undefined) throw new Error(`must be one of ${choices.join(", ")}`);
    return chosen;
  },
});

export const onOff = (name: string, fallback: "on" | "off", description: string): Setting<boolean> => ({
  name,
  default: fallback,
  description: `${description} on or off.`,
  read(value) {
    if (value !== "on" && value !== "off") throw new Error("must be on or off");
    return value === "on";
  },
});

/** Returns the value of a setting. */
export type ReadSetting = <T>(setting: Setting<T>) => T;

/**
 * Creates a function that reads settings. `texts` contains their values as text, by name; these were validated at the
 * start.
 */
export function settingReader(texts: Readonly<Record<string, string | undefined>>): ReadSetting {
  const values = new Map<Setting<unknown>, unknown>();
  return <T>(setting: Setting<T>): T => {
    if (!values.has(setting)) values.set(setting, setting.read(texts[setting.name] ?? setting.default));
    // The cast is safe, because each value was returned by the `read` of its own setting.
    return values.get(setting) as T;
  };
}
