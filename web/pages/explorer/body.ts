/** A schema of the service's OpenAPI document, as far as forms need it. */
export interface Schema {
  readonly $ref?: string;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

/** An input of a form. `lines` holds a list, one entry per line. `json` holds a value that fits no other input. */
type InputKind = "text" | "number" | "choice" | "lines" | "json";

/** A member of a body. Its path has the form used in violations, such as `company.name`. */
export type Member = {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  readonly isRequired: boolean;
} & (
  | { readonly kind: InputKind; readonly choices: readonly string[] }
  | { readonly kind: "group"; readonly members: readonly Member[] }
);

/** The strings in the inputs, by the paths of their members. */
export type BodyDraft = Readonly<Record<string, string>>;

/** Depth of the deepest inputs; members of the body itself have depth 1. An object at this depth is entered as JSON. */
const DEPTH_MAX = 3;

/** The members of a body in the order of its schema. `find` follows a reference. */
export function membersOf(schema: Schema, find: (reference: string) => Schema, outer = "", depth = 1): Member[] {
  const { properties = {}, required = [] } = resolved(schema, find);
  return Object.entries(properties).map(([name, listed]): Member => {
    const own = resolved(listed, find);
    const path = outer === "" ? name : `${outer}.${name}`;
    const description = listed.description ?? own.description ?? "";
    const facts = { name, path, description, isRequired: required.includes(name) };
    if (own.properties && depth < DEPTH_MAX)
      return { ...facts, kind: "group", members: membersOf(own, find, path, depth + 1) };
    return { ...facts, ...inputOf(own, own.items && resolved(own.items, find)) };
  });
}

function resolved(schema: Schema, find: (reference: string) => Schema): Schema {
  return schema.$ref === undefined ? schema : find(schema.$ref);
}

function inputOf(schema: Schema, item: Schema | undefined): { kind: InputKind; choices: readonly string[] } {
  if (schema.enum) return { kind: "choice", choices: schema.enum.map(String) };
  if (schema.type === "boolean") return { kind: "choice", choices: ["true", "false"] };
  if (schema.type === "integer" || schema.type === "number") return { kind: "number", choices: [] };
  if (schema.type === "string") return { kind: "text", choices: [] };
  if (item?.type === "string" || item?.enum) return { kind: "lines", choices: (item.enum ?? []).map(String) };
  return { kind: "json", choices: [] };
}

/**
 * Converts a draft to a body. Empty inputs are left out. Throws `BodyError` for a string that is not a valid value of
 * its member.
 */
export function bodyOf(members: readonly Member[], draft: BodyDraft): Readonly<Record<string, unknown>> {
  const entries = members.flatMap((member): (readonly [string, unknown])[] => {
    if (member.kind === "group") {
      const value = bodyOf(member.members, draft);
      return member.isRequired || Object.keys(value).length > 0 ? [[member.name, value]] : [];
    }
    const text = draft[member.path] ?? "";
    return text.trim() === "" ? [] : [[member.name, parsedValue(member.kind, member.path, text)]];
  });
  return Object.fromEntries(entries);
}

function parsedValue(kind: InputKind, path: string, text: string): unknown {
  switch (kind) {
    case "text":
      return text;
    case "choice":
      return text === "true" || text === "false" ? text === "true" : text;
    case "lines":
      return text
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "number":
      if (!Number.isFinite(Number(text))) throw new BodyError(path, "Must be a number.");
      return Number(text);
    case "json":
      try {
        return JSON.parse(text);
      } catch {
        throw new BodyError(path, "Must be JSON.");
      }
  }
}

/** A string that is not a valid value of its member. */
export class BodyError extends Error {
  readonly path: string;
  constructor(path: string, sentence: string) {
    super(sentence);
    this.path = path;
  }
}
