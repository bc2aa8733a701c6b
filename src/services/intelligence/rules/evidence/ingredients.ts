import type { AbsentIngredient, OptionalSnapshots } from "../../../../contract/product.js";
import type { AvailableSnapshot } from "../../../../contract/snapshot.js";
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
import { sanctionsLists } from "../../../sanctions/datasets/sanctions-lists.js";

/** The datasets from which evidence is derived. */
export const evidenceReads = {
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
  sanctions: sanctionsLists,
  digest: fullDigest,
} as const;

export type EvidenceRead = keyof typeof evidenceReads;
export type EvidenceIngredients = OptionalSnapshots<typeof evidenceReads>;

/** Returns the snapshot if it is available and not stale. Only the data of such a snapshot may be stated as fact. */
export function usable<View>(
  ingredient: AvailableSnapshot<View> | AbsentIngredient,
): AvailableSnapshot<View> | undefined {
  return ingredient.available && ingredient.state !== "stale" ? ingredient : undefined;
}
