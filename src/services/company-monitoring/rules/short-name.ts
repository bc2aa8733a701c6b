/** Returns the readable form of the name of an enum member: `MATERIAL_IMPACT_MAGNITUDE_LOW` is `low`. */
export function shortName(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase().replaceAll("_", " ");
}
