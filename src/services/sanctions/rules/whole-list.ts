import { type RowTally, silentTally } from "../../../contract/row-tally.js";
import { SourceFailure } from "../../../contract/source.js";
import type { EntityType, ListedEntity } from "../records.js";

/** Maximum share of a list's entries that may be missing from the next read of the list. */
export const LOST_RATIO_MAX = 0.1;

/** The minimum number of entries of a complete list, in total and by type. */
export interface Least extends Partial<Readonly<Record<EntityType, number>>> {
  readonly all: number;
}

/**
 * Returns the entries of a newly read list. Of entries with the same id, keeps only the last. Marks an entry as new if
 * the stored list lacks it; in the first build, marks none. Throws `SourceFailure` "changed" if the new list is below a
 * minimum, or lacks more than a tenth of the stored entries. The stored list is then kept.
 */
export function wholeList(
  stored: readonly ListedEntity[],
  read: readonly ListedEntity[],
  { all, ...types }: Least,
  tally: RowTally = silentTally,
): readonly ListedEntity[] {
  const byId = new Map(read.map((entity) => [entity.id, entity]));
  const entities = [...byId.values()];
  tally.filter(read, { "same id as a later entry": (entity) => byId.get(entity.id) === entity });
  if (entities.length < all) throw tooShort(`entries: ${entities.length}`, all);
  for (const [type, least] of Object.entries(types)) {
    const ofType = entities.filter((entity) => entity.type === type).length;
    if (ofType < least) throw tooShort(`entries of type ${type}: ${ofType}`, least);
  }
  const lost = stored.filter(({ id }) => !byId.has(id)).length;
  if (lost > stored.length * LOST_RATIO_MAX) {
    throw new SourceFailure("changed", `the list lost ${lost} of ${stored.length} entries; expected at most a tenth`);
  }
  if (stored.length === 0) return entities;
  const storedIds = new Set(stored.map(({ id }) => id));
  return entities.map((entity) => (storedIds.has(entity.id) ? entity : { ...entity, isNew: true }));
}

/** Returns the entries of a stored list without their marks as new, because a later build already has them. */
export function withoutNewMarks(stored: readonly ListedEntity[]): readonly ListedEntity[] {
  return stored.some(({ isNew }) => isNew) ? stored.map(({ isNew: _isNew, ...entity }) => entity) : stored;
}

function tooShort(length: string, least: number): SourceFailure {
  return new SourceFailure("changed", `the list is too short (${length}); expected ${least} or more`);
}
