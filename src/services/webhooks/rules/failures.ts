import { type Failure, failure } from "../../../contract/failures.js";
import { ENDPOINTS_MAX, PENDING_MAX } from "./limits.js";

export function endpointNotFound(): Failure {
  return failure("itemNotFound", { what: "webhook endpoint", code: "NOT_FOUND" });
}

export function endpointLimitReached(): Failure {
  return failure("limitReached", {
    code: "ENDPOINT_LIMIT_REACHED",
    sentence: `An account has at most ${ENDPOINTS_MAX} webhook endpoints; delete one first`,
  });
}

export function endpointQueueFull(): Failure {
  return failure("conflict", {
    code: "ENDPOINT_QUEUE_FULL",
    sentence: `The endpoint has ${PENDING_MAX} waiting deliveries; wait until some have been sent`,
  });
}

export function endpointNotActive(): Failure {
  return failure("conflict", {
    code: "ENDPOINT_NOT_ACTIVE",
    sentence: "The endpoint is paused or disabled; activate it first",
  });
}
