import { type Clock, MINUTE_MS } from "../../../../kit/clock.js";

/** Maximum number of accounts whose time is tracked. If there is one more, the times of all accounts are reset to 0. */
const ACCOUNTS_MAX = 10_000;

/** Adds up the time that the evaluation of each account's watches takes in the current minute. */
export interface WorkBudget {
  isUsedUp(accountId: string): boolean;
  add(accountId: string, ms: number): void;
}

export function workBudget(clock: Clock, msPerMinute: number): WorkBudget {
  let minute = Number.NaN;
  const used = new Map<string, number>();
  const startWindow = (): void => {
    const now = Math.floor(clock.now() / MINUTE_MS);
    if (now === minute) return;
    minute = now;
    used.clear();
  };
  return {
    isUsedUp(accountId) {
      startWindow();
      return (used.get(accountId) ?? 0) >= msPerMinute;
    },
    add(accountId, ms) {
      startWindow();
      if (used.size >= ACCOUNTS_MAX && !used.has(accountId)) used.clear();
      used.set(accountId, (used.get(accountId) ?? 0) + ms);
    },
  };
}
