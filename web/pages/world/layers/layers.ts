import { aircraft, airports } from "./aviation.js";
import { airQuality, climateZones } from "./climate.js";
import { conflictEvents, organisedViolence } from "./conflict.js";
import { disasters, earthquakes, naturalEvents } from "./hazards.js";
import type { Layer } from "./layer.js";
import { displacementFlows, internetAnomalies } from "./networks.js";

/** The layers in the order of the panel. */
export const LAYERS: readonly Layer[] = [
  conflictEvents,
  organisedViolence,
  disasters,
  naturalEvents,
  earthquakes,
  climateZones,
  airQuality,
  internetAnomalies,
  airports,
  aircraft,
  displacementFlows,
];

/** The layers that are on by default. */
export const FIRST_LAYERS = "conflict,disasters,earthquakes,internet";

/** The layers of a parameter such as `conflict,air`; `none` selects no layers. */
export function layersIn(text: string): ReadonlySet<string> {
  const ids = new Set(text.split(","));
  return new Set(LAYERS.flatMap(({ id }) => (ids.has(id) ? [id] : [])));
}
