import type { Clock } from "../src/kit/clock.js";

export function startPlainUpstream(options?: {
  readonly port?: number;
  readonly clock?: Clock;
}): Promise<{ readonly baseUrl: string; close(): Promise<void> }>;
