import { Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { BadRow, SourceFailure, source, step } from "../../../contract/source.js";
import { countryCentre } from "../../../geography/countries.js";
import { isoInstant } from "../../../kit/iso-instant.js";
import type { TrafficAnomaly } from "../records.js";

const Envelope = Type.Object({
  success: Type.Literal(true),
  result: Type.Object({ trafficAnomalies: Type.Array(Type.Unknown()) }),
});

const Words = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Place = Type.Object({ code: Words, name: Words });
const Network = Type.Object({
  asn: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  name: Words,
  location: Type.Optional(Type.Union([Place, Type.Null()])),
});

/** Anomalies of internet traffic that Cloudflare saw in the last seven days, at most a hundred. */
export const cloudflareRadar = source({
  id: "cloudflare-radar",
  title: "Cloudflare Radar, traffic anomalies",
  home: "https://developers.cloudflare.com/radar/",
  seen: "described",
  licence: {
    name: "CC BY-NC 4.0",
    url: "https://radar.cloudflare.com/about",
    attribution: "Cloudflare Radar",
    open: false,
  },
  auth: header(
    "Authorization",
    {
      variable: "CLOUDFLARE_API_TOKEN",
      description: "Token with the permission Account > Radar > Read; without it there are no traffic anomalies",
    },
    "Bearer",
  ),
  steps: {
    anomalies: step({
      request: () => ({
        key: "anomalies",
        url: "https://api.cloudflare.com/client/v4/radar/traffic_anomalies?dateRange=7d&limit=100&format=json",
      }),
      format: { kind: "json" },
      row: Type.Object({
        uuid: Type.String({ minLength: 1 }),
        type: Type.String(),
        status: Type.String(),
        startDate: Type.String(),
        endDate: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        asnDetails: Type.Optional(Type.Union([Network, Type.Null()])),
        locationDetails: Type.Optional(Type.Union([Place, Type.Null()])),
      }),
      *rows(document) {
        if (!Value.Check(Envelope, document)) throw new SourceFailure("changed", "expected result.trafficAnomalies[]");
        yield* document.result.trafficAnomalies;
      },
      record(row): TrafficAnomaly {
        const network = row.asnDetails;
        const asn = asnIn(network?.asn);
        const place = [network?.location, row.locationDetails].find((candidate) => candidate?.code);
        const code = place?.code?.toUpperCase();
        return {
          uuid: row.uuid,
          type: row.type,
          status: row.status,
          startDate: instantOf(row.startDate),
          endDate: row.endDate ? instantOf(row.endDate) : 0,
          ...(asn !== undefined && { asn }),
          ...(network?.name && { asnName: network.name }),
          ...(code && { locationCode: code, ...countryCentre(code) }),
          ...(place?.name && { locationName: place.name }),
        };
      },
    }),
  },
  observedAt: ({ startDate, endDate }) => Math.max(startDate, endDate),
});

/** Converts the number of a network to text; undefined if the number is missing or 0. */
function asnIn(asn: string | number | null | undefined): string | undefined {
  const text = String(asn ?? "");
  return text === "" || text === "0" ? undefined : text;
}

function instantOf(text: string): number {
  const at = isoInstant(text);
  if (at === undefined) throw new BadRow(`"${text.slice(0, 40)}" is not an instant`);
  return at;
}
