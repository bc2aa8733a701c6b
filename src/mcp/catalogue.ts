import type { AnyAccountRead, RegisteredAccountRead } from "../contract/account-read.js";
import { frameParametersOf, frameParametersOfAccounts } from "../contract/frame-parameters.js";
import type { AnyOperation, RegisteredOperation } from "../contract/operation.js";
import { type AnyDataset, ingredientsOf } from "../contract/product.js";
import type { QueryField } from "../contract/query-field.js";
import type { RegisteredWrite } from "../contract/write.js";

/** Everything that agents can call or read about. */
export interface CatalogueParts {
  readonly operations: readonly RegisteredOperation[];
  readonly accountReads: readonly RegisteredAccountRead[];
  readonly writes: readonly RegisteredWrite[];
  readonly datasets: readonly AnyDataset[];
  /** Returns the name that a field has in a query string. */
  readonly wireName: (field: string) => string;
  /** Returns the size in bytes of a path's answer to a call without parameters. The sizes were measured on a demo. */
  readonly bytesOf: (path: string) => number | undefined;
}

interface EntryBase {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
}

/** An operation called by GET. */
export interface ReadEntry extends EntryBase {
  readonly kind: "read";
  readonly declaration: AnyOperation | AnyAccountRead;
  /** Parameters by their names in a query string. */
  readonly fields: ReadonlyMap<string, QueryField<unknown>>;
  /** Names of the general parameters that do not belong to a single operation, such as `as_of`. */
  readonly frame: readonly string[];
  readonly bytes: number | undefined;
  /**
   * Titles of the first few upstream sources. If there are more, the last item states their number, such as `2 more`.
   */
  readonly publishers: readonly string[];
}

/** An operation called by POST. */
export interface WriteEntry extends EntryBase {
  readonly kind: "write";
  readonly declaration: RegisteredWrite["write"];
}

export type Entry = ReadEntry | WriteEntry;

export interface Catalogue {
  readonly entries: readonly Entry[];
  readonly datasets: readonly AnyDataset[];
  readonly wireName: CatalogueParts["wireName"];
  /** Finds the entry with this name or path. */
  find(name: string): Entry | undefined;
}

/** Path of the operation that runs several calls in one request; it has a tool of its own. */
const BATCH_PATH = "/api/batch/v1/execute";

export function catalogueOf(parts: CatalogueParts): Catalogue {
  const { operations, accountReads, writes, datasets, wireName } = parts;
  const entries: readonly Entry[] = [
    ...operations.map(({ path, operation }) => readEntry(parts, path, operation)),
    ...accountReads.map(({ path, read }) => readEntry(parts, path, read)),
    ...writes.filter(isForAgents).map(({ path, write }): Entry => {
      const { rpc, summary, description } = write;
      return { kind: "write", name: rpc, path, summary, description, declaration: write };
    }),
  ];
  const byName = new Map(entries.flatMap((entry) => [entry.name, entry.path].map((name) => [name, entry])));
  return { entries, datasets, wireName, find: (name) => byName.get(name.trim()) };
}

/**
 * True for a write that takes JSON and accepts a key of an account or of the operator. The write at `BATCH_PATH` is
 * excluded, because it has a tool of its own. Writes for sign-in, mail links and signed events serve other callers.
 */
function isForAgents({ path, write: { access, isForm } }: RegisteredWrite): boolean {
  const isByKey = access === "operator" || (typeof access === "object" && "scope" in access);
  return isByKey && isForm !== true && path !== BATCH_PATH;
}

function readEntry(parts: CatalogueParts, path: string, declaration: AnyOperation | AnyAccountRead): ReadEntry {
  const { rpc, summary, description } = declaration;
  const isOperation = "cache" in declaration;
  const frame = isOperation ? frameParametersOf(declaration) : frameParametersOfAccounts;
  // The cast is safe, because every member of an operation's `query` is declared as a QueryField.
  const fields = Object.entries(declaration.query as Readonly<Record<string, QueryField<unknown>>>);
  return {
    kind: "read",
    name: rpc,
    path,
    summary,
    description,
    declaration,
    fields: new Map(fields.map(([name, field]) => [parts.wireName(name), field])),
    frame: frame.map(([name]) => parts.wireName(name)),
    bytes: parts.bytesOf(path),
    publishers: isOperation ? publishersOf(Object.values(declaration.reads)) : [],
  };
}

const PUBLISHERS_SHOWN = 3;

function publishersOf(datasets: readonly AnyDataset[]): readonly string[] {
  const titles = [...new Set(datasets.flatMap(sourceTitles))];
  const more = titles.length - PUBLISHERS_SHOWN;
  return more > 0 ? [...titles.slice(0, PUBLISHERS_SHOWN), `${more} more`] : titles;
}

function sourceTitles(dataset: AnyDataset): readonly string[] {
  return dataset.kind === "product"
    ? ingredientsOf(dataset).flatMap(sourceTitles)
    : Object.values(dataset.parts).flatMap(({ sources }) => sources.map(({ title }) => title));
}
