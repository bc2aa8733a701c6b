import type { RegisteredOperation } from "../../contract/operation.js";
import type { AnyDataset } from "../../contract/product.js";
import { spellingOf } from "../explained-query.js";
import type { Cursors, Position } from "../paging.js";
import type { ReadQuery } from "../query.js";

/** An operation with its parsed query: the whole content of a request target. */
export interface Question {
  readonly registered: RegisteredOperation;
  readonly query: ReadQuery;
  /** Cache key of the answer; the same for every spelling of the query. */
  readonly key: string;
  /** The datasets of the answer, by the operation's names for them. */
  readonly reads: readonly (readonly [name: string, dataset: AnyDataset])[];
  /** The datasets that are built only on request. */
  readonly builtOnRequest: readonly AnyDataset[];
  /** Start of the requested page; undefined for the first one. */
  readonly position: Position | undefined;
}

/** Parses a request. Throws the 400 for a cursor of another list. */
export function questionOf(cursors: Cursors, registered: RegisteredOperation, query: ReadQuery): Question {
  const reads = readsOf(registered, query);
  // An explanation tells spellings of a query apart: what was sent, and what took hold without it.
  const spelling = query.explained ? `\n${spellingOf(query.explained)}` : "";
  return {
    registered,
    query,
    key: `${registered.path}?${query.canonical}\n${query.jmespath ?? ""}${spelling}`,
    reads,
    builtOnRequest: reads.flatMap(([, dataset]) => (dataset.awakeForMs === undefined ? [] : [dataset])),
    position: cursors.read(registered, query),
  };
}

function readsOf({ operation }: RegisteredOperation, { values }: ReadQuery): Question["reads"] {
  const reads = operation.reads as Readonly<Record<string, AnyDataset>>;
  // The query was parsed by this operation's own fields.
  const names = operation.readsFor?.(values as never) ?? Object.keys(reads);
  return names.flatMap((name) => {
    const dataset = reads[name];
    return dataset ? [[name, dataset] as const] : [];
  });
}
