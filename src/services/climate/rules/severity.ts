/** The alert levels that hazard feeds use. */
export type HazardSeverity = "red" | "orange" | "green";

const levels: ReadonlySet<string> = new Set(["red", "orange", "green"] satisfies HazardSeverity[]);

/** Finds the alert level in a text: a feed's field for the level, or a phrase of a title such as "Orange alert". */
export function severityNamed(text: string): HazardSeverity | undefined {
  const name = /\b(red|orange|green)\b/i.exec(text)?.[1]?.toLowerCase();
  return name !== undefined && levels.has(name) ? (name as HazardSeverity) : undefined;
}

const [MAJOR_CATEGORY, HURRICANE_CATEGORY] = [3, 1];

/** Returns the severity of a storm by its Saffir-Simpson category; 0 is a storm below hurricane force. */
export function severityOfStorm(category: number): HazardSeverity {
  if (category >= MAJOR_CATEGORY) return "red";
  return category >= HURRICANE_CATEGORY ? "orange" : "green";
}

/** Minimum sustained wind of each category from 1 to 5; knots. */
const CATEGORY_KNOTS = [64, 83, 96, 113, 137];

/** Returns the Saffir-Simpson category of a sustained wind in knots. */
export function stormCategory(windKt: number): number {
  return CATEGORY_KNOTS.filter((least) => windKt >= least).length;
}

const [FIRE_RED_MW, FIRE_ORANGE_MW] = [400, 300];

/** Returns the severity of a fire by its radiative power in megawatts. */
export function severityOfFire(powerMw: number): HazardSeverity {
  if (powerMw >= FIRE_RED_MW) return "red";
  return powerMw >= FIRE_ORANGE_MW ? "orange" : "green";
}
