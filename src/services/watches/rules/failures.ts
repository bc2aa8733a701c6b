import { type Failure, failure } from "../../../contract/failures.js";
import { ASKED_PER_DAY_MAX } from "./mail-limits.js";

export function watchNotFound(): Failure {
  return failure("itemNotFound", { what: "watch", code: "NOT_FOUND" });
}

export function watchLimitReached(watchesMax: number): Failure {
  return failure("limitReached", {
    code: "WATCH_LIMIT_REACHED",
    sentence: `The plan of the account permits ${watchesMax} watches; delete one first`,
  });
}

export function addressLimitReached(): Failure {
  return failure("limitReached", {
    code: "WATCH_EMAIL_LIMIT_REACHED",
    sentence: `An account can name at most ${ASKED_PER_DAY_MAX} new addresses a day, and an address is asked once a day; try again tomorrow`,
  });
}
