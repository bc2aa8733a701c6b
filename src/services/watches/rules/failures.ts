import { type Failure, failure } from "../../../contract/failures.js";
import { counted } from "../../../kit/counted.js";
import { ASKED_PER_DAY_MAX } from "./mail-limits.js";

const LIMIT_CODE = "WATCH_LIMIT_REACHED";

export function watchNotFound(): Failure {
  return failure("itemNotFound", { what: "watch", code: "NOT_FOUND" });
}

export function watchLimitReached(watchesMax: number): Failure {
  return failure("limitReached", {
    code: LIMIT_CODE,
    sentence: `The plan of the account permits ${watchesText(watchesMax)}; delete one first`,
  });
}

export function activeLimitReached(watchesMax: number): Failure {
  return failure("limitReached", {
    code: LIMIT_CODE,
    sentence: `The plan of the account permits ${watchesText(watchesMax, "active ")}; pause or delete one first`,
  });
}

/** Returns the reason given when the service pauses a watch because the account's plan has changed. */
export function pausedByPlan(watchesMax: number): string {
  return `Paused: the plan of the account permits ${watchesText(watchesMax, "active ")}. Change the plan, or pause or delete other watches; then resume this one.`;
}

/** The reason given when the service pauses a watch whose call is a Pro operation, because the plan includes none. */
export const callNotInPlan =
  "Paused: the plan of the account does not include this call. Change the plan or the call; then resume this watch.";

export function addressLimitReached(): Failure {
  return failure("limitReached", {
    code: "WATCH_EMAIL_LIMIT_REACHED",
    sentence: `An account can name at most ${ASKED_PER_DAY_MAX} new addresses a day, and an address gets one confirmation email a day; try again tomorrow`,
  });
}

const watchesText = (count: number, kind = ""): string => counted(count, `${kind}watch`, `${kind}watches`);
