import type { Rows } from "../../../contract/paging.js";
import { countryName } from "../../../geography/countries.js";
import { sortedSteps, visitSteps } from "../../../kit/list-steps.js";
import type { ClockPace, Steps } from "../../../kit/loop-turns.js";
import {
  type CountrySanctionsPressure,
  type ListedEntity,
  type ListKey,
  listNames,
  type ProgramSanctionsPressure,
  type SanctionsEntry,
  typeNameOf,
} from "../records.js";

const GROUPS_MAX = 12;
export const ENTRIES_MAX = 60;

interface Tally {
  entries: number;
  fresh: number;
  vessels: number;
  aircraft: number;
}

/** The entries to serve, and the counts of all entries: in total, and for the largest countries and programmes. */
export interface Pressure {
  /**
   * The entries, new ones first, then by listing date, newest first. `length` counts all entries, but only the first
   * `ENTRIES_MAX` + 1 can be read.
   */
  readonly entries: Rows<SanctionsEntry>;
  readonly countries: readonly CountrySanctionsPressure[];
  readonly programs: readonly ProgramSanctionsPressure[];
  readonly totals: Readonly<Tally>;
}

interface Listed {
  readonly entity: ListedEntity;
  readonly list: ListKey;
}

/** Counts and sorts all entries in steps, so that the event loop is not blocked. */
export function* pressureSteps(listed: readonly Listed[], pace: ClockPace): Steps<Pressure> {
  const totals = emptyTally();
  const byCountry = new Map<string, Tally>();
  const byProgram = new Map<string, Tally>();
  yield* visitSteps(listed, pace, ({ entity }) => {
    add(totals, entity);
    for (const country of entity.countries ?? []) add(tallyIn(byCountry, country), entity);
    for (const program of entity.programs) add(tallyIn(byProgram, program), entity);
  });
  const newestFirst = yield* sortedSteps(listed, compareListed, pace);
  const readable = newestFirst.slice(0, ENTRIES_MAX + 1).map(entryOf);
  return {
    entries: { length: listed.length, slice: (from, to) => readable.slice(from, to) },
    countries: largest(byCountry).map(([countryCode, tally]) => ({
      countryCode,
      countryName: countryName(countryCode) ?? countryCode,
      entryCount: tally.entries,
      newEntryCount: tally.fresh,
      vesselCount: tally.vessels,
      aircraftCount: tally.aircraft,
    })),
    programs: largest(byProgram).map(([program, { entries, fresh }]) => ({
      program,
      entryCount: entries,
      newEntryCount: fresh,
    })),
    totals,
  };
}

const emptyTally = (): Tally => ({ entries: 0, fresh: 0, vessels: 0, aircraft: 0 });

function tallyIn(tallies: Map<string, Tally>, key: string): Tally {
  const tally = tallies.get(key) ?? emptyTally();
  tallies.set(key, tally);
  return tally;
}

function add(tally: Tally, { isNew, type }: ListedEntity): void {
  tally.entries += 1;
  if (isNew) tally.fresh += 1;
  if (type === "vessel") tally.vessels += 1;
  if (type === "aircraft") tally.aircraft += 1;
}

function largest(tallies: ReadonlyMap<string, Tally>): readonly (readonly [string, Tally])[] {
  return [...tallies]
    .sort(([a, aTally], [b, bTally]) => bTally.entries - aTally.entries || a.localeCompare(b))
    .slice(0, GROUPS_MAX);
}

function compareListed({ entity: a }: Listed, { entity: b }: Listed): number {
  const newFirst = Number(b.isNew ?? false) - Number(a.isNew ?? false);
  return newFirst || (b.listedAt ?? 0) - (a.listedAt ?? 0) || (a.id < b.id ? -1 : 1);
}

function entryOf({ entity, list }: Listed): SanctionsEntry {
  const countryCodes = [...(entity.countries ?? [])];
  return {
    id: entity.id,
    name: entity.name,
    entityType: typeNameOf(entity.type),
    countryCodes,
    countryNames: countryCodes.map((code) => countryName(code) ?? code),
    programs: [...entity.programs],
    sourceLists: [listNames[list]],
    ...(entity.listedAt !== undefined && { effectiveAt: entity.listedAt }),
    isNew: entity.isNew ?? false,
    note: entity.note ?? "",
  };
}
