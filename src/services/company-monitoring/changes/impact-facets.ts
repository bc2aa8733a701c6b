import type { CompanyMaterialImpact } from "../event-records.js";
import { shortName } from "../rules/short-name.js";

/** The values by which impacts are filtered, as short names. */
export interface ImpactFacets {
  /** positive, negative or mixed. */
  readonly direction: string;
  /** admitted, corrected or retracted. */
  readonly lifecycle: string;
}

export function facetsOf({ direction, lifecycle }: CompanyMaterialImpact): ImpactFacets {
  return {
    direction: shortName(direction, "MATERIAL_IMPACT_DIRECTION_"),
    lifecycle: shortName(lifecycle, "MATERIAL_IMPACT_LIFECYCLE_"),
  };
}
