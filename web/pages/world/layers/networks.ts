import type { DisplacementFlow, TrafficAnomaly } from "../../../../src/sdk/index.js";
import { countryName, instantText, numberText } from "../../../format.js";
import { countryCodesIn } from "../countries.js";
import { sizeBy, type ThingForm } from "../thing.js";
import { layerOf, presentFacts } from "./layer.js";

/** Internet traffic anomalies of the last seven days. */
export const internetAnomalies = layerOf({
  id: "internet",
  name: "Internet anomalies",
  extent: "7 days",
  sizes: "small if ended, large if ongoing",
  shape: "cross",
  tone: 6,
  call: "list-internet-traffic-anomalies",
  dataset: "internet-traffic-anomalies",
  rows: ({ anomalies }) => anomalies,
  thing: (row: TrafficAnomaly): ThingForm => {
    const isOpen = row.endDate === 0;
    const network = row.asnName ?? (row.asn === undefined ? undefined : `AS${row.asn}`);
    const where = row.locationName ?? (row.locationCode === undefined ? "" : countryName(row.locationCode));
    const place =
      row.latitude === undefined || row.longitude === undefined ? undefined : { lat: row.latitude, lon: row.longitude };
    return {
      id: row.uuid,
      title: [where, network].filter(Boolean).join(", ") || "Place not named",
      place,
      where,
      countries: row.locationCode === undefined ? [] : [row.locationCode],
      at: row.startDate,
      until: isOpen ? Number.POSITIVE_INFINITY : row.endDate,
      size: isOpen ? 2 : 0,
      measure: isOpen ? "ongoing" : "ended",
      facts: () =>
        presentFacts(
          ["Start", `${instantText(row.startDate)} UTC`],
          ["End", isOpen ? "ongoing" : `${instantText(row.endDate)} UTC`],
          ["Network", network],
          ["Status", row.status.toLowerCase()],
          ["Position", place && "centre of the country"],
        ),
      source: "Cloudflare Radar",
    };
  },
});

/** A flow of refugees with the year of the count. */
type FlowOfYear = DisplacementFlow & { readonly year: number | undefined };

/** The largest flows of refugees. */
export const displacementFlows = layerOf({
  id: "displacement",
  name: "Displacement",
  extent: "100 largest flows",
  sizes: "refugees: under 10,000; 10,000+; 100,000+; 1 million+",
  shape: "flow",
  tone: 2,
  call: "get-displacement-summary",
  dataset: "displacement",
  params: () => ({ flowLimit: 100, countryLimit: 1 }),
  rows: ({ summary: { topFlows, year } }) => topFlows.map((flow): FlowOfYear => ({ ...flow, year })),
  trouble: ({ dataAvailable }) => (dataAvailable ? undefined : "No data is stored."),
  thing: (row: FlowOfYear): ThingForm => ({
    id: `${row.originCode}-${row.asylumCode}`,
    title: `${row.originName} to ${row.asylumName}`,
    place: row.originLocation && { lat: row.originLocation.latitude, lon: row.originLocation.longitude },
    toPlace: row.asylumLocation && { lat: row.asylumLocation.latitude, lon: row.asylumLocation.longitude },
    where: `${row.originName}, ${row.asylumName}`,
    countries: [row.originName, row.asylumName].flatMap(countryCodesIn),
    at: undefined,
    size: sizeBy(row.refugees, [10_000, 100_000, 1_000_000]),
    measure: `${numberText(row.refugees)} refugees`,
    facts: () =>
      presentFacts(
        ["From", row.originName],
        ["To", row.asylumName],
        ["Refugees", `${numberText(row.refugees)} people`],
        ["Counted", row.year === undefined ? "not known" : `end of ${row.year}`],
        [
          "On the map",
          row.originLocation && row.asylumLocation
            ? undefined
            : "no line: the position of one of the countries is unknown",
        ],
      ),
    source: "UNHCR",
  }),
});
