import { HOUR_MS } from "../../../kit/clock.js";
import { places } from "../../../simulator/models/places.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** Simulates Cloudflare Radar: serves traffic anomalies of the last seven days. */
export const upstream = simulatedUpstream({
  name: "cloudflare-radar",
  credentials: { CLOUDFLARE_API_TOKEN: "demo-cloudflare-token" },
  routes: [
    {
      host: "api.cloudflare.com",
      path: "/client/v4/radar/traffic_anomalies",
      handle: answerAnomalies,
      variants: {
        changed: (json) => json.replace('"trafficAnomalies":', '"anomalies":'),
        empty: (json) => json.replace(/"trafficAnomalies":\[.*\]/s, '"trafficAnomalies":[]'),
        badRow: (json) => rewriteMiddle(json, /"startDate":"[^"]*"/g, () => '"startDate":"2019-13-45"'),
      },
    },
  ],
});

const SLOT_MS = 6 * HOUR_MS;
const SLOTS = 28;

function answerAnomalies({ headers, clock, seed }: SimulatedRequest): SimulatedAnswer {
  const json = (status: number, value: unknown): SimulatedAnswer => ({
    status,
    contentType: "application/json",
    body: JSON.stringify(value),
  });
  if (!/^Bearer \S+$/.test(headers.authorization ?? "")) {
    const errors = [{ code: 10_000, message: "Authentication error" }];
    return json(403, { success: false, errors, messages: [], result: null });
  }
  const slot = Math.floor(clock.now() / SLOT_MS);
  const trafficAnomalies = Array.from({ length: SLOTS }, (_, index) => anomalyOf(seed, slot - index, clock.now()));
  return json(200, { success: true, errors: [], messages: [], result: { trafficAnomalies } });
}

/** Creates the anomaly that begins at the start of a six-hour slot. It lasts up to 30 hours. */
function anomalyOf(seed: number, slot: number, now: number): object {
  const random = streamFor(seed, `radar ${slot}`);
  const place = places[Math.floor(random() * places.length)];
  const start = slot * SLOT_MS;
  const end = start + Math.ceil(random() * 30) * HOUR_MS;
  const isNetwork = random() < 0.5;
  const location = { code: place?.alpha2, name: place?.name };
  const instant = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");
  return {
    uuid: `51000000-0000-4000-8000-${String(slot).padStart(12, "0")}`,
    type: isNetwork ? "AS" : "LOCATION",
    status: random() < 0.5 ? "VERIFIED" : "UNVERIFIED",
    startDate: instant(start),
    ...(end <= now && { endDate: instant(end) }),
    // The details of a network include its country. Some networks have no name.
    ...(isNetwork && {
      asnDetails: { asn: String(64_512 + (slot % 1_000)), name: random() < 0.2 ? null : "SIMULATED-AS", location },
    }),
    locationDetails: isNetwork ? null : location,
    visibleInDataSources: ["ALL"],
  };
}
