import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { Value } from "typebox/value";
import { CLOCK_AHEAD_MS_MAX, type Clock, SECOND_MS } from "../kit/clock.js";
import { repeatedly } from "../kit/repeatedly.js";
import type { RedisWatch } from "../limits/redis-watch.js";
import { type RedisCommands, script } from "../limits/run-script.js";
import type { KnownObservation, SharedObservations, Turn } from "../upstream/shared-observations.js";

export interface RedisObservationsParts {
  readonly redis: RedisCommands;
  readonly watch: RedisWatch;
  readonly prefix: string;
  readonly clock: Clock;
  /** Digests a key, so that the stored key does not reveal the query. */
  readonly digestOf: (key: string) => string;
  /** Maximum size of a shared observation, in bytes. Default 1 MiB. */
  readonly bytesMax?: number;
  /** Time in ms after which a turn ends if its node does not renew it. Default 3,000. */
  readonly turnMs?: number;
}

/** Polling interval while another node has the turn. */
const LOOK_EVERY_MS = 100;

/**
 * Shares observations through Redis. The turn of a key is a lock in Redis: only the node that has it requests the
 * upstream for this key. A turn is short, and its node renews it while it reads, so the turn of a dead node ends soon.
 * Scripts make each step atomic.
 */
export function redisObservations(parts: RedisObservationsParts): SharedObservations {
  const { redis, watch, prefix, clock, digestOf, bytesMax = 2 ** 20, turnMs = 3 * SECOND_MS } = parts;
  const take = script(redis, TAKE_TURN);
  const renew = script(redis, RENEW_TURN);
  const end = script(redis, END_TURN);
  /** Resolves to Redis's answer, or to undefined if Redis is unavailable; the watch logs the loss. */
  const orNothing = (run: () => Promise<unknown>): Promise<unknown> => watch.used(run).catch(() => undefined);

  function takenTurn(keys: readonly string[], id: string, observation: KnownObservation<unknown> | undefined): Turn {
    const ending = new AbortController();
    const renewed = async (): Promise<void> => void (await orNothing(() => renew(keys, [id, turnMs])));
    void repeatedly(renewed, turnMs / 3, clock, ending.signal, () => undefined);
    return {
      observation,
      async end(observed, keepUntil = 0) {
        ending.abort();
        const text = observed === undefined ? "" : JSON.stringify(observed);
        const keepMs = Math.ceil(keepUntil - clock.now());
        const isShared = observed !== undefined && keepMs > 0 && Buffer.byteLength(text) <= bytesMax;
        const entry = isShared ? [text, observed.expiresAt, keepMs, observed.fetchedAt] : ["", 0, 0, 0];
        await orNothing(() => end(keys, [id, ...entry]));
      },
    };
  }

  return {
    async turn(key, signal) {
      const digest = digestOf(key);
      // The digest is in braces, so that a Redis Cluster keeps both keys on one node.
      const keys = [`${prefix}{${digest}}`, `${prefix}{${digest}}:turn`];
      const id = randomUUID();
      while (true) {
        const reply = await orNothing(() => take(keys, [clock.now(), id, turnMs]));
        const [state, text] = Array.isArray(reply) ? reply : [];
        const observation = readObservation(text);
        if (state === "taken") {
          const turn = takenTurn(keys, id, observation);
          if (!signal.aborted) return turn;
          await turn.end();
        }
        signal.throwIfAborted();
        if (state === "known") return observation && { observation, end: async () => undefined };
        if (state !== "held") return undefined;
        await clock.sleep(LOOK_EVERY_MS, signal);
      }
    },
  };
}

const times = { fetchedAt: Type.Number(), expiresAt: Type.Number() };
const knownSchema = Type.Union([
  Type.Object({ ...times, state: Type.Literal("fresh"), data: Type.Array(Type.Unknown()) }),
  Type.Object({ ...times, state: Type.Literal("miss") }),
]);

/** Parses an observation that Redis has returned; undefined for any other text. */
function readObservation(text: unknown): KnownObservation<unknown> | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(knownSchema, value) ? value : undefined;
  } catch {
    return undefined; // Not JSON, so not an observation.
  }
}

/**
 * Returns `known` and the entry if it has not expired. Otherwise takes the turn if no node has it, and returns `taken`
 * with the expired entry, if there is one. If another node has the turn, returns `held`. An entry that is dated more
 * than `CLOCK_AHEAD_MS_MAX` ahead of this node's clock counts as expired, because its age is unknown. It is returned
 * with `taken` like any expired entry, but the caller of `turn` ignores it.
 * KEYS: the entry, the turn. ARGV: now, the id of this turn, the length of a turn in ms.
 */
const TAKE_TURN = `
local entry = redis.call("HMGET", KEYS[1], "expiresAt", "observation", "fetchedAt")
local now = tonumber(ARGV[1])
local isAhead = tonumber(entry[3] or "0") - now > ${CLOCK_AHEAD_MS_MAX}
if entry[1] and tonumber(entry[1]) > now and not isAhead then return { "known", entry[2] } end
if redis.call("SET", KEYS[2], ARGV[2], "NX", "PX", ARGV[3]) then return { "taken", entry[2] or "" } end
return { "held", "" }
`;

/** Extends the turn if it has this id. KEYS: the entry, the turn. ARGV: the id, the length of a turn in ms. */
const RENEW_TURN = `
if redis.call("GET", KEYS[2]) == ARGV[1] then redis.call("PEXPIRE", KEYS[2], ARGV[2]) end
return 0
`;

/**
 * Stores the observation, if there is one, even if the turn has expired. Ends the turn, unless another node has taken
 * it in the meantime. KEYS: the entry, the turn. ARGV: the id of this turn, the observation (or an empty string), the
 * time when the observation expires, the ms to keep it, the time when it was fetched.
 */
const END_TURN = `
if ARGV[2] ~= "" then
  redis.call("HSET", KEYS[1], "observation", ARGV[2], "expiresAt", ARGV[3], "fetchedAt", ARGV[5])
  redis.call("PEXPIRE", KEYS[1], ARGV[4])
end
if redis.call("GET", KEYS[2]) == ARGV[1] then redis.call("DEL", KEYS[2]) end
return 0
`;
