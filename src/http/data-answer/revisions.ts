import type { RevisionReader } from "../../snapshots/history/revision-reader.js";
import type { Ingredients } from "./ingredients.js";

/** Adds earlier versions of rows to each snapshot for which the query requests them. */
export async function withRevisions(revisions: RevisionReader, ingredients: Ingredients): Promise<Ingredients> {
  const { registered, query, reads } = ingredients.question;
  // The cast is safe, because the query was parsed with the fields of this operation.
  const selected = registered.operation.revisionsFor?.(query.values as never) ?? [];
  if (selected.length === 0) return ingredients;
  const snapshots = { ...ingredients.snapshots };
  for (const [name, dataset] of reads) {
    const snapshot = snapshots[name];
    if (!selected.includes(name) || !snapshot?.available) continue;
    snapshots[name] = { ...snapshot, revisions: await revisions.upTo(dataset.name, snapshot) };
  }
  return { ...ingredients, snapshots };
}
