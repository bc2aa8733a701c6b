import type { Observation } from "../../../../contract/on-demand.js";
import { failureReason } from "../../scan/failure-reason.js";
import type { RegisterAnswer } from "../register.js";
import type { RegisterRecord } from "../resolve-identity.js";

/**
 * Converts the outcome of an on-demand read of a register to the register's answer. A miss is an answer without
 * records.
 */
export function answerOf<Stored>(
  observation: Observation<readonly Stored[]>,
  recordOf: (stored: Stored) => RegisterRecord,
): RegisterAnswer {
  switch (observation.state) {
    case "fresh":
    case "cached":
    case "stale":
      return { state: "read", records: observation.data.map(recordOf), readAt: observation.fetchedAt };
    case "miss":
    case "not-asked":
      return { state: "read", records: [], readAt: observation.fetchedAt };
    case "error":
      return { state: "failed", reasonCode: failureReason(observation) };
  }
}
