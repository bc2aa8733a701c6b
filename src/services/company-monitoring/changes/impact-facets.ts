import type { CompanyMaterialImpact } from "../event-records.js";

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

/** Shortens the name of an enum member: `MATERIAL_IMPACT_DIRECTION_NEGATIVE` becomes `negative`. */
export function shortName(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase();
}
