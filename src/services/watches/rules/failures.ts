import { type Failure, failure } from "../../../contract/failures.js";

export function watchNotFound(): Failure {
  return failure("itemNotFound", { what: "watch", code: "NOT_FOUND" });
}

export function watchLimitReached(watchesMax: number): Failure {
  return failure("limitReached", {
    code: "WATCH_LIMIT_REACHED",
    sentence: `The plan of the account permits ${watchesMax} watches; delete one first`,
  });
}
