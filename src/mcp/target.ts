import { suggestion } from "../kit/nearest.js";
import type { Catalogue, Entry, ReadEntry, WriteEntry } from "./catalogue.js";
import { ToolFailure } from "./tool.js";

/** Arguments that name a GET and its parameters. */
export interface CallArguments {
  readonly operation: string;
  readonly params?: object;
  readonly jmespath?: string;
}

/** Maximum length of a query. An HTTP server limits the length of a path with its query. */
const TARGET_BYTES_MAX = 30_000;

export function readNamed(catalogue: Catalogue, name: string): ReadEntry {
  const entry = named(catalogue, name);
  if (entry.kind === "read") return entry;
  throw new ToolFailure(`${entry.name} is a POST; use the tool write`);
}

export function writeNamed(catalogue: Catalogue, name: string): WriteEntry {
  const entry = named(catalogue, name);
  if (entry.kind === "write") return entry;
  throw new ToolFailure(`${entry.name} is a GET; use the tool call`);
}

function named(catalogue: Catalogue, name: string): Entry {
  const entry = catalogue.find(name);
  if (entry) return entry;
  const names = catalogue.entries.map((candidate) => candidate.name);
  throw new ToolFailure(
    `there is no operation ${name.slice(0, 80)}${suggestion(name, names) || "; use the tool find"}`,
  );
}

/** Builds the path and query of a call. Lists become comma-separated values. */
export function targetOf({ path }: ReadEntry, { params = {}, jmespath }: CallArguments, catalogue: Catalogue): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== null) search.set(catalogue.wireName(name), textOf(name, value));
  }
  if (jmespath !== undefined) search.set("jmespath", jmespath);
  const query = search.toString();
  if (query.length > TARGET_BYTES_MAX) {
    throw new ToolFailure(`the parameters have ${query.length} bytes; at most ${TARGET_BYTES_MAX} are allowed`);
  }
  return query === "" ? path : `${path}?${query}`;
}

function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(",");
  if (typeof value === "object" || value === undefined) {
    throw new ToolFailure(`params.${name.slice(0, 80)} must be a string, a number, true, false, or a list of these`);
  }
  return String(value);
}

/**
 * Returns advice on how to make the answer of a GET smaller. If an example of the GET has a projection, the advice
 * quotes that projection.
 */
export function adviceFor({ declaration }: ReadEntry): string {
  const projection = declaration.examples.find((example) => "jmespath" in example)?.["jmespath"];
  return `select members with jmespath${projection === undefined ? "" : `, such as ${projection}`}`;
}
