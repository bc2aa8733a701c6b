import { dataset, type MergeContext, part, type RecordsOf } from "../../../contract/dataset.js";
import type { RowTally } from "../../../contract/row-tally.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import type { OceanIceData } from "../records.js";
import { contentAges } from "../rules/content-ages.js";
import { sstAnomalyOf } from "../rules/ocean-temperature.js";
import { arcticIceOf } from "../rules/sea-ice.js";
import { type OceanHeat, type OceanTemperature, oceanHeat, oceanTemperature } from "../sources/ncei.js";
import { type IceExtent, type IceMedian, iceExtentDaily, iceMedians } from "../sources/nsidc.js";
import { type SeaLevel, seaLevel } from "../sources/sea-level.js";

const plan = (): object => ({});
const BASE_FROM = Date.UTC(1971, 0);

/**
 * Each part contains the values of one source. The ice values need two parts: the extents and their medians. If the
 * source of a part fails, the part keeps its earlier values.
 */
const parts = {
  extent: part<IceExtent, object>({
    sources: [iceExtentDaily],
    plan,
    identity: ["day"],
    select: byDay,
    optional: true,
  }),
  median: part<IceMedian, object>({ sources: [iceMedians], plan, identity: ["dayOfYear"], optional: true }),
  seaLevel: part<SeaLevel, object>({ sources: [seaLevel], plan, identity: [], merge: datedByChange, optional: true }),
  heat: part<OceanHeat, object>({ sources: [oceanHeat], plan, identity: ["at"], select: newestYear, optional: true }),
  temperature: part<OceanTemperature, object>({
    sources: [oceanTemperature],
    identity: ["month"],
    plan,
    optional: true,
    select: (series, _now, tally) =>
      tally.filter(series, { "before 1971": ({ month }) => month >= BASE_FROM }).toSorted((a, b) => a.month - b.month),
  }),
};

/** Sets `unchangedSince` to the time when the current figures were first read, because their page has no date. */
function datedByChange(
  kept: readonly SeaLevel[],
  fresh: readonly SeaLevel[],
  { now, tally }: MergeContext,
): readonly SeaLevel[] {
  const [stored] = kept;
  const [read] = fresh;
  if (!read) return kept;
  if (stored) tally.leftOut("replaced by a newer reading", stored, kept.length);
  const isSame = read.mmAbove1993 === stored?.mmAbove1993 && read.mmPerYear === stored?.mmPerYear;
  return [{ ...read, unchangedSince: (isSame ? stored?.unchangedSince : undefined) ?? now }];
}

function byDay(extents: readonly IceExtent[]): readonly IceExtent[] {
  return extents.toSorted((a, b) => a.day - b.day);
}

function newestYear(years: readonly OceanHeat[], _now: number, tally: RowTally): readonly OceanHeat[] {
  return tally.first(
    "earlier year",
    years.toSorted((a, b) => b.at - a.at),
    1,
  );
}

/** The state of the Arctic sea ice and of the oceans. */
export const oceanIce = dataset({
  name: "ocean-ice",
  title: "Sea ice, sea level and ocean heat",
  description:
    "Arctic sea ice extent since 1978 with its 1981-2010 median, global mean sea level, heat content of the upper 700 m and surface temperature of the world ocean.",
  cadenceMs: DAY_MS,
  staleAfterMs: 48 * HOUR_MS,
  partAges: contentAges.oceanIce.parts,
  gaps: [
    "Ice extent was measured every second day until August 1987, and has had gaps since then (3 December 1987 to 12 January 1988, and some days of August 2026).",
    "Sea level is read from the text of a page that has no date. If the text states several yearly rates, the one that it describes as current is served.",
    "Surface temperature is from the newest version of NOAAGlobalTemp that NCEI lists, 6.1 or later.",
    "Heat content is yearly and surface temperature monthly; both lag by a few weeks.",
  ],
  parts,
  gateRule: "at least one value of ice extent, ocean heat or surface temperature",
  gate: (records) =>
    oceanIceOf(records) === undefined ? "no value of ice extent, ocean heat or surface temperature" : undefined,
  view: (records: RecordsOf<typeof parts>) => oceanIceOf(records),
  newestAt,
});

/** Builds the served record; undefined if no dated measurement is available. */
function oceanIceOf(records: RecordsOf<typeof parts>): OceanIceData | undefined {
  const measuredAt = newestAt(records);
  const [level] = records.seaLevel;
  const heat = records.heat.at(-1);
  const sstAnomalyC = sstAnomalyOf(records.temperature);
  const iceDay = records.extent.at(-1)?.day;
  const sstMonth = records.temperature.at(-1)?.month;
  if (measuredAt === null) return undefined;
  return {
    ...arcticIceOf(records.extent, records.median),
    ...(iceDay !== undefined && { arcticExtentObservedAt: iceDay }),
    ...(level?.mmAbove1993 !== undefined && { seaLevelMmAbove1993: level.mmAbove1993 }),
    ...(level?.mmPerYear !== undefined && { seaLevelAnnualRiseMm: level.mmPerYear }),
    ...(level?.unchangedSince !== undefined && { seaLevelUnchangedSince: level.unchangedSince }),
    ...(heat && { ohc0700mZj: heat.zettajoules, ohc0700mZjObservedAt: heat.at }),
    ...(sstAnomalyC !== undefined && { sstAnomalyC }),
    ...(sstAnomalyC !== undefined && sstMonth !== undefined && { sstAnomalyCObservedAt: sstMonth }),
    measuredAt,
  };
}

function newestAt({ extent, heat, temperature }: RecordsOf<typeof parts>): number | null {
  const times = [extent.at(-1)?.day, heat.at(-1)?.at, temperature.at(-1)?.month].filter((at) => at !== undefined);
  return times.length > 0 ? Math.max(...times) : null;
}
