import { dataset, part, type RecordsOf } from "../../../contract/dataset.js";
import { among } from "../../../contract/row-tally.js";
import { DAY_MS } from "../../../kit/clock.js";
import type { ZoneNormals } from "../rules/anomaly.js";
import { contentAges } from "../rules/content-ages.js";
import { coverageRule, lackOfZones, type Zone, zones } from "../rules/zones.js";
import { climateNormals as source } from "../sources/climate-normals.js";

const parts = {
  normals: part({
    sources: [source],
    identity: ["zone"],
    plan: ({ kept }: { readonly kept: readonly ZoneNormals[] }) => {
      const lacking = zonesWithout(kept);
      return lacking.length === 0 ? undefined : { zones: lacking };
    },
    merge: (kept: readonly ZoneNormals[], fresh: readonly ZoneNormals[], { tally }) => {
      const all = [...kept, ...fresh];
      const byZone = new Map(all.map((normals) => [normals.zone, normals]));
      const merged = zones.flatMap(({ id }) => byZone.get(id) ?? []);
      return tally.narrowed("replaced by newer normals of the zone", all, merged, among(merged));
    },
    fillsUp: true,
  }),
};

/** Returns the zones that lack normals at their present coordinates, mandatory zones first. */
function zonesWithout(kept: readonly ZoneNormals[]): readonly Zone[] {
  const normalsByZone = new Map(kept.map((normals) => [normals.zone, normals]));
  const lacking = zones.filter(({ id, latitude, longitude }) => {
    const normals = normalsByZone.get(id);
    return normals?.latitude !== latitude || normals.longitude !== longitude;
  });
  return lacking.toSorted((a, b) => Number(b.isMandatory) - Number(a.isMandatory));
}

/** Monthly mean weather of each zone in 1991-2020. Read once and kept. */
export const climateNormals = dataset({
  name: "climate-normals",
  title: "Climate normals of 25 zones, 1991-2020",
  description:
    "Mean temperature and daily precipitation of every calendar month, computed once from thirty years of daily values.",
  cadenceMs: 30 * DAY_MS,
  staleAfterMs: 62 * DAY_MS,
  partAges: contentAges.climateNormals.parts,
  gaps: [
    "Each hour, the free service provides thirty years of data for only a few zones. A new installation collects the normals over several runs, and serves anomalies once it has enough normals.",
  ],
  parts,
  gateRule: `a build with at least one zone is stored; the dataset is served once a build has ${coverageRule}`,
  gate: ({ normals }) => (normals.length === 0 ? "no zone has normals" : undefined),
  pending({ normals }) {
    const lack = lackOfZones(new Set(normals.map(({ zone }) => zone)));
    return lack === undefined ? undefined : `normals are still being collected: ${lack}`;
  },
  view: ({ normals }: RecordsOf<typeof parts>) => new Map(normals.map((zone) => [zone.zone, zone])),
  // Normals do not age: their period ended in 2020.
  newestAt: () => null,
});
