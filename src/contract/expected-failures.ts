import type { AnyAccountRead } from "./account-read.js";
import { lacksPast } from "./as-of.js";
import type { FailureName } from "./failures.js";
import { type AnyOperation, readsDatasets } from "./operation.js";
import { lacksChanges } from "./since-generation.js";
import { type AnyWrite, isOpen } from "./write.js";

/** The properties of a platform path that determine its failures. */
interface PlatformAccess {
  readonly isOpen: boolean;
  readonly failures?: readonly FailureName[];
}

const everywhere: readonly FailureName[] = ["originRefused", "methodNotAllowed", "internal"];

const withCredential: readonly FailureName[] = [
  "keyRequired",
  "keyInvalid",
  "sessionInvalid",
  "bearerInvalid",
  "scopeMissing",
  "planWithoutKeys",
  "subscriptionLapsed",
  "renewalPending",
  "entitlementUnavailable",
];

/** The failure of a call that an overloaded service refuses. Calls of platform paths are never refused this way. */
const shed: readonly FailureName[] = ["overloaded"];

const limited: readonly FailureName[] = ["accountLimit", "tooManyRequests", "limiterUnavailable"];

/** The failures that a call of an operation can have. */
export function operationFailures(operation: AnyOperation): readonly FailureName[] {
  const { tier, dailyQuota, list } = operation;
  return [
    ...everywhere,
    ...withCredential,
    ...limited,
    ...shed,
    "notFound",
    "validation",
    "projection",
    ...(lacksPast(operation) === undefined ? (["historyGone"] as const) : []),
    ...(lacksChanges(operation) === undefined ? (["generationGone"] as const) : []),
    ...(readsDatasets(operation) ? (["generationNotLoaded"] as const) : []),
    ...(list?.feed === undefined ? [] : (["notReady"] as const)),
    ...(tier === undefined ? [] : (["proRequired", "tierTooLow"] as const)),
    ...(dailyQuota === undefined ? [] : (["quotaUsedUp", "quotaUnavailable"] as const)),
  ];
}

/** The failures that an account read can have. */
export function accountReadFailures({ access, failures = [] }: AnyAccountRead): readonly FailureName[] {
  return [
    ...everywhere,
    ...withCredential,
    ...limited,
    ...shed,
    "validation",
    "projection",
    ...(access === "operator" ? (["operatorOnly"] as const) : []),
    ...failures,
  ];
}

/** The failures that opening a stream can have. */
export function streamFailures(): readonly FailureName[] {
  return [...everywhere, ...withCredential, ...limited, ...shed, "tooManyStreams", "validation", "positionGone"];
}

/** The failures that a call of a linked feed can have. */
export function linkedFeedFailures(): readonly FailureName[] {
  return [...everywhere, ...limited, ...shed, "validation", "notFound"];
}

/** The failures that a POST can have. */
export function writeFailures(write: AnyWrite): readonly FailureName[] {
  const { access, repeats, inputFailure, failures = [] } = write;
  return [
    ...everywhere,
    ...(isOpen(write) ? (["entitlementUnavailable"] as const) : withCredential),
    ...(access === "operator" ? (["operatorOnly"] as const) : []),
    ...limited,
    ...shed,
    ...(inputFailure ? [] : (["validation", "bodyInvalid"] as const)),
    "payloadTooLarge",
    ...(repeats === "replayed"
      ? (["idempotencyKeyInvalid", "idempotencyConflict", "idempotencyKeyReused"] as const)
      : []),
    ...failures,
  ];
}

/** The failures that a call of a platform path can have. */
export function platformFailures({ isOpen, failures = [] }: PlatformAccess): readonly FailureName[] {
  return [...everywhere, ...(isOpen ? [] : [...withCredential, ...limited]), ...failures];
}
