import { Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import type { Revisions } from "../../../contract/revisions.js";

/**
 * The members that vintages of every kind share. A vintage consists of the values of an observation that one generation published,
 * changed or withdrew.
 */
export const vintageFields = {
  since: epochMs(
    "Build time of the first generation with these values; if it equals `knownSince`, the values may be older",
  ),
  generation: Type.Integer({ description: "Number of the first generation with these values" }),
  withdrawn: Type.Optional(Type.Array(Type.String(), { description: "Members that this generation withdrew" })),
};

/** The members that state how far back the record of former values reaches. */
export const vintagesFields = {
  knownSince: epochMs("Start of the record of former values"),
  sinceGeneration: Type.Integer({ description: "First generation of the record" }),
};

/** The values of an observation by name; unpublished values are absent. */
type Values<Name extends string> = { readonly [K in Name]?: number };

/** The values that one generation published or changed, and the names of those it withdrew. */
type Vintage<Name extends string> = { since: number; generation: number; withdrawn?: string[] } & {
  -readonly [K in Name]?: number;
};

/** Functions that read a dataset's rows as observations. */
interface Observations<Name extends string> {
  /** In the order in which values are served. */
  readonly names: readonly Name[];
  /** Returns the newest values of the observation with this time; undefined if it has none now. */
  current(time: number): Values<Name> | undefined;
  /** True if the rows of the part contain values of this name. */
  isIn(part: string, name: Name): boolean;
  /** Reads the value of this name from a row; undefined if the row has none. */
  valueIn(row: unknown, name: Name): number | undefined;
}

/**
 * Returns the vintages of each of these observations, oldest first. The `since` of the first vintage is the start of
 * the record of former values, unless the record states when the observation was added.
 */
export function vintagesOf<Name extends string>(
  times: readonly number[],
  observations: Observations<Name>,
  { begin, revisions }: Revisions,
): readonly (readonly [time: number, vintages: Vintage<Name>[]])[] {
  const replacedAt = replacedRows(revisions);
  return times.map((time) => {
    const replaced = replacedAt.get(String(time));
    const current = observations.current(time) ?? {};
    // A shortcut, because most of the thousands of observations have no replaced rows. The loop must be fast, because
    // it does not yield to the event loop.
    if (!replaced) return [time, [{ since: begin.at, generation: begin.generation, ...current } as Vintage<Name>]];
    return [time, revisedVintages(current, replaced, observations, begin)];
  });
}

/** Returns the vintages of an observation with replaced rows, computed backwards from the current values. */
function revisedVintages<Name extends string>(
  current: Values<Name>,
  replaced: readonly Replaced[],
  { names, isIn, valueIn }: Observations<Name>,
  begin: Revisions["begin"],
): Vintage<Name>[] {
  const newestFirst: Vintage<Name>[] = [];
  let values = names.map((name): number | undefined => current[name]);
  for (const { generation, since, rows } of replaced.toReversed()) {
    const before = [...values];
    for (const { part, row } of rows) {
      for (const [index, name] of names.entries()) if (isIn(part, name)) before[index] = valueIn(row, name);
    }
    addVintage(newestFirst, names, { since, generation, before, values });
    values = before;
  }
  addVintage(newestFirst, names, { since: begin.at, generation: begin.generation, before: [], values });
  return newestFirst.reverse();
}

/** Adds a vintage with the values that differ from those before the change; adds nothing if none differ. */
function addVintage<Name extends string>(
  vintages: Vintage<Name>[],
  names: readonly Name[],
  change: {
    readonly since: number;
    readonly generation: number;
    readonly before: readonly (number | undefined)[];
    readonly values: readonly (number | undefined)[];
  },
): void {
  const { since, generation, before, values } = change;
  const differing = [...names.keys()].filter((index) => before[index] !== values[index]);
  if (differing.length === 0) return;
  const withdrawn = differing.flatMap((index) => (values[index] === undefined ? (names[index] ?? []) : []));
  const published = differing.flatMap((index) =>
    values[index] === undefined ? [] : [[names[index], values[index]] as const],
  );
  // The cast is safe, because every key comes from `names`, which has only names of values.
  const vintage = { since, generation, ...Object.fromEntries(published) } as Vintage<Name>;
  vintages.push(withdrawn.length > 0 ? { ...vintage, withdrawn } : vintage);
}

/** Returns the times of observations that are in the record of former values but not in `times`. */
export function withdrawnTimes(times: readonly number[], { revisions }: Revisions): readonly number[] {
  const listed = new Set(times);
  return [...replacedRows(revisions).keys()].map(Number).filter((time) => !listed.has(time));
}

/** The rows of one observation that one generation replaced. */
interface Replaced {
  readonly generation: number;
  readonly since: number;
  /** The former row of each part; undefined if the row was added. */
  readonly rows: { readonly part: string; readonly row: unknown }[];
}

/** Groups the replaced rows by key (the observation's time), oldest generation first. */
function replacedRows(revisions: Revisions["revisions"]): ReadonlyMap<string, readonly Replaced[]> {
  const byKey = new Map<string, Replaced[]>();
  for (const { generation, at: since, parts } of revisions) {
    const add = (key: string, part: string, row: unknown): void => {
      const all = byKey.get(key) ?? [];
      const last = all.at(-1);
      if (last?.generation === generation) last.rows.push({ part, row });
      else all.push({ generation, since, rows: [{ part, row }] });
      byKey.set(key, all);
    };
    for (const [part, { added, former }] of Object.entries(parts)) {
      for (const key of added) add(key, part, undefined);
      for (const [key, row] of Object.entries(former)) add(key, part, row);
    }
  }
  return byKey;
}
