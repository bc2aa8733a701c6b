import { failure, type Violation } from "../../../../contract/failures.js";
import type { Normal } from "./normal-text.js";

/** Maximum number of violations in one answer, the same as for schema violations. */
const VIOLATIONS_MAX = 10;

/** Collects the violations of a body while its members are normalised. */
export interface Refusals {
  refuse(field: string, description: string): void;
  /**
   * Returns the normalised value. If there is none, records a violation of the field and returns the fallback. The
   * fallback is never stored, because `check` throws.
   */
  take<T>(field: string, normal: Normal<T>, fallback: T): T;
  /** Throws the 400 with the violations, if there are any. */
  check(): void;
}

export function refusals(): Refusals {
  const violations: Violation[] = [];
  const refuse = (field: string, description: string): void => {
    if (violations.length < VIOLATIONS_MAX) violations.push({ field, description });
  };
  return {
    refuse,
    take(field, normal, fallback) {
      if ("value" in normal) return normal.value;
      refuse(field, normal.problem);
      return fallback;
    },
    check() {
      if (violations.length > 0) throw failure("validation", { violations });
    },
  };
}
