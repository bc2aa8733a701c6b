import { SECOND_MS } from "../kit/clock.js";
import type { AnyOnDemand } from "./on-demand.js";
import type { AnyOperation } from "./operation.js";
import type { AnyDataset } from "./product.js";
import type { ReadSetting } from "./setting.js";

/** Longest time, in ms, that an answer waits while a dataset is built on request. */
export const WAKING_MS_MAX = 14 * SECOND_MS;

/**
 * Returns the longest time in ms that an operation waits for its inputs: first for the builds that it starts, then for
 * its upstreams.
 */
export function waitMsMax({ reads, fetches = {} }: AnyOperation, settingOf: ReadSetting): number {
  const datasets = Object.values(reads as Readonly<Record<string, AnyDataset>>);
  const wakes = datasets.some(({ awakeForMs }) => awakeForMs !== undefined);
  const limits = Object.values(fetches as Readonly<Record<string, AnyOnDemand<never>>>).map((read) =>
    "timeLimitOf" in read && read.timeLimitOf ? read.timeLimitOf(settingOf) : read.timeLimitMs,
  );
  return (wakes ? WAKING_MS_MAX : 0) + Math.max(0, ...limits);
}
