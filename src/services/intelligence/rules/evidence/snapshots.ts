import type { SnapshotsOf } from "../../../../contract/operation.js";
import type { AvailableSnapshot, Snapshot } from "../../../../contract/snapshot.js";
import { airportDelays } from "../../../aviation/datasets/airport-delays.js";
import { airQuality } from "../../../climate/datasets/air-quality.js";
import { climateAnomalies } from "../../../climate/datasets/climate-anomalies.js";
import { climateDisasters } from "../../../climate/datasets/climate-disasters.js";
import { climateNormals } from "../../../climate/datasets/climate-normals.js";
import { alphaEvents } from "../../../conflict/datasets/alpha-events.js";
import { betaEvents } from "../../../conflict/datasets/beta-events.js";
import { humanitarianSummary } from "../../../conflict/datasets/humanitarian-summary.js";
import { displacement } from "../../../displacement/datasets/displacement.js";
import { usCpi } from "../../../economic/datasets/us-cpi.js";
import { usTreasuryYields } from "../../../economic/datasets/us-treasury-yields.js";
import { internetTrafficAnomalies } from "../../../infrastructure/datasets/internet-traffic-anomalies.js";
import { fullDigest } from "../../../news/products/digests.js";

/** The datasets that briefs read. */
export const briefReads = {
  alpha: alphaEvents,
  beta: betaEvents,
  humanitarian: humanitarianSummary,
  displaced: displacement,
  disasters: climateDisasters,
  weather: climateAnomalies,
  normals: climateNormals,
  air: airQuality,
  internet: internetTrafficAnomalies,
  airports: airportDelays,
  prices: usCpi,
  yields: usTreasuryYields,
  digest: fullDigest,
} as const;

export type BriefSnapshots = SnapshotsOf<typeof briefReads>;

/** Returns the snapshot if it is available and not stale, so that it may be stated as fact. */
export function usable<View>(snapshot: Snapshot<View>): AvailableSnapshot<View> | undefined {
  return snapshot.available && snapshot.state !== "stale" ? snapshot : undefined;
}
