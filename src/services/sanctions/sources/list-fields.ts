import { BadRow } from "../../../contract/source.js";
import type { ValueRange } from "../../../contract/value-ranges.js";
import { countryByName } from "../../../geography/countries.js";
import { isCalendarDate } from "../../../kit/calendar-date.js";
import type { ListedEntity } from "../records.js";

const NOTE_CHARACTERS_MAX = 240;
const NAME_CHARACTERS_MAX = 300;
/** Far above the longest real entry: as of 2026, OFAC lists 95 aliases of one organisation. */
const ALIASES_MAX = 300;

/** The stored entries to compare the new list with. */
export interface ListPlan {
  readonly stored: readonly ListedEntity[];
}

export const listRanges: Readonly<Record<string, ValueRange>> = {
  listedAt: [Date.UTC(1945, 0), Date.UTC(2101, 0)],
};

/** Converts names of countries to alpha-2 codes, without duplicates. Unknown names are omitted. */
export function countriesOf(names: readonly string[]): readonly string[] {
  return [...new Set(names.flatMap((name) => countryByName(name.slice(0, 100)) ?? []))];
}

/**
 * Converts a day such as `2015-07-01` to its midnight; undefined for an empty string. An offset is ignored, because the
 * UN writes some days with one: `2015-07-01-04:00`.
 */
export function dayOf(text: string | undefined): number | undefined {
  const day = text?.trim().replace(/(?<=^.{10})[+-]\d{2}:\d{2}$/, "") ?? "";
  if (day === "") return undefined;
  if (!isCalendarDate(day)) throw new BadRow(`"${day.slice(0, 40)}" is not a day`);
  return Date.parse(`${day}T00:00:00Z`);
}

interface EntityFields extends Omit<ListedEntity, "aliases" | "countries" | "listedAt" | "note"> {
  readonly aliases: readonly string[];
  readonly countries: readonly string[];
  readonly listedAt?: number | undefined;
  readonly note?: string | undefined;
}

/** Creates a stored entry, without empty members. */
export function listedEntity({ aliases, countries, listedAt, note, ...entity }: EntityFields): ListedEntity {
  const name = entity.name.trim().slice(0, NAME_CHARACTERS_MAX);
  if (name === "") throw new BadRow("an entry without a name");
  const others = [...new Set(aliases.map((alias) => alias.trim().slice(0, NAME_CHARACTERS_MAX)))]
    .filter((alias) => alias !== "" && alias !== name)
    .slice(0, ALIASES_MAX);
  const words = note?.replace(/\s+/g, " ").trim().slice(0, NOTE_CHARACTERS_MAX);
  return {
    ...entity,
    name,
    ...(others.length > 0 && { aliases: others }),
    ...(countries.length > 0 && { countries }),
    ...(listedAt !== undefined && { listedAt }),
    ...(words && { note: words }),
  };
}
