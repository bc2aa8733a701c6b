import { ApiError, ConnectionError, ForbiddenError, RateLimitError, TimeoutError } from "../../src/sdk/index.js";
import { instantText } from "../format.js";
import type { Read } from "./read.js";

/** The failure of a read in words. If the page repeats the read by itself, the text says so. */
export function readFailureText(failure: unknown, { isRepeated }: Pick<Read<unknown>, "isRepeated">): string {
  const text = failureText(failure);
  return isRepeated && failure instanceof ConnectionError ? `${text} The page tries again automatically.` : text;
}

/** A failure in words: what happened, and what to do about it. */
export function failureText(failure: unknown): string {
  if (failure instanceof ConnectionError) return "The service cannot be reached.";
  if (failure instanceof TimeoutError) return "The service did not answer in time.";
  if (failure instanceof RateLimitError) return limitText(failure);
  if (failure instanceof ForbiddenError) return `Your plan or key does not include this. ${reasonsOf(failure)}`.trim();
  if (failure instanceof ApiError) return reasonsOf(failure) || `The service answered ${failure.status}.`;
  return failure instanceof Error ? failure.message : String(failure);
}

function reasonsOf({ reasons }: ApiError): string {
  return reasons.map((reason) => (/[.!?]$/.test(reason) ? reason : `${reason}.`)).join(" ");
}

/** A daily quota states when it resets; other limits state how long to wait. */
function limitText(failure: RateLimitError): string {
  const { body, retryAfterMs } = failure;
  const resetsAt = typeof body === "object" && body !== null && "resetsAt" in body ? String(body.resetsAt) : undefined;
  if (resetsAt === undefined) return `Too many calls. ${waitText(retryAfterMs)}`;
  return `${reasonsOf(failure) || "The daily quota is used up."} It resets at ${instantText(resetsAt)} UTC.`;
}

function waitText(waitMs: number | undefined): string {
  return waitMs === undefined ? "Wait a moment." : `Try again in ${Math.ceil(waitMs / 1000)} s.`;
}
