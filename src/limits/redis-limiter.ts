import { randomUUID } from "node:crypto";
import type { Charge, Limiter, Standing } from "./limiter.js";
import { GIVE_BACK_SCRIPT, TAKE_SCRIPT } from "./redis-scripts.js";
import { type RedisCommands, type RunScript, script } from "./run-script.js";

/**
 * A limiter shared by all nodes that use the same Redis and `prefix`. `take` and `look` are one script each, so they
 * are atomic; `giveBack` refunds in one script and then reads the standings in another.
 *
 * Callers supply the time, so the clocks of the nodes must be synchronised. A node whose clock lags counts its units at
 * the newest time already recorded for that subject and limit, so a slow clock cannot admit calls beyond the limit. A
 * node whose clock is ahead extends refusals by the difference. If a clock that ran more than 30 s ahead is corrected,
 * the units it recorded would count for too long. All units of that subject and limit are therefore dropped once 30 s
 * have passed since that node last counted one.
 *
 * One call uses the keys of several subjects, so on a Redis Cluster `prefix` needs a hash tag, such as `{limits}`.
 */
export function redisLimiter(redis: RedisCommands, prefix: string): Limiter {
  const run = script(redis, TAKE_SCRIPT);
  const runGiveBack = script(redis, GIVE_BACK_SCRIPT);

  async function ask(charges: readonly Charge[], now: number, id: string): Promise<Answer> {
    const limits = charges.flatMap(({ limit }) => [limit.window.kind === "sliding" ? limit.window.ms : 0, limit.max]);
    return answerOf(await run(keysOf(prefix, charges), [now, id, ...limits]), charges, now);
  }

  return {
    async take(charges, now) {
      const id = randomUUID();
      const { refusedIndex, standings, days } = await ask(charges, now, id);
      const look = async (): Promise<readonly Standing[]> => (await ask(charges, now, "")).standings;
      if (refusedIndex >= 0) return { refused: standings[refusedIndex], standings, giveBack: look };
      const keys = keysOf(prefix, charges);
      const units = charges.map((charge, index) => ({
        charge,
        key: keys[index] ?? "",
        day: days[index] ?? "",
        id: `${id}:${index + 1}`,
      }));
      const giveBackUnits = giverBack(units, runGiveBack);
      return {
        refused: undefined,
        standings,
        async giveBack(which) {
          await giveBackUnits(which);
          return look();
        },
      };
    },
    async look(charges, now) {
      return (await ask(charges, now, "")).standings;
    },
    async close() {},
  };
}

interface Unit {
  readonly charge: Charge;
  readonly key: string;
  /** The UTC day of the unit, as written by the script; empty for a sliding window. */
  readonly day: string;
  readonly id: string;
}

/**
 * Returns the function that gives these units back. If the call to Redis fails, the units may stay counted. There is no
 * second attempt, because Redis may have run the script, and daily units would then be refunded twice.
 */
function giverBack(
  units: readonly Unit[],
  run: RunScript,
): (which: ((charge: Charge) => boolean) | undefined) => Promise<void> {
  const countedUnits = new Set(units);
  return async (which) => {
    const picked = [...countedUnits].filter(({ charge }) => which === undefined || which(charge));
    for (const unit of picked) countedUnits.delete(unit);
    if (picked.length === 0) return;
    await run(
      picked.map(({ key }) => key),
      picked.flatMap(({ day, id }) => [day, id]),
    );
  };
}

interface Answer {
  /** Index of the refused charge; -1 if none was refused. */
  readonly refusedIndex: number;
  readonly standings: readonly Standing[];
  readonly days: readonly string[];
}

function answerOf(reply: unknown, charges: readonly Charge[], now: number): Answer {
  // The reply: the number of the refused charge (0: none), then the units, reset time and day of every charge.
  const [refused, ...values] = reply as [string, ...string[]];
  const standings = charges.map(({ limit }, index) => {
    const [units, resetAt] = values.slice(index * 3);
    return { limit, remaining: Math.max(0, limit.max - Number(units)), resetAt: resetAt ? Number(resetAt) : now };
  });
  return { refusedIndex: Number(refused) - 1, standings, days: charges.map((_, index) => values[index * 3 + 2] ?? "") };
}

function keysOf(prefix: string, charges: readonly Charge[]): string[] {
  // The name is encoded, so that a colon in it cannot make two keys equal.
  return charges.map(({ subject, limit, isAddress }) => {
    const limitKey = `${prefix}:${limit.window.kind}:${encodeURIComponent(limit.name)}`;
    return isAddress ? `${limitKey}:address:${subject}` : `${limitKey}:${subject}`;
  });
}
