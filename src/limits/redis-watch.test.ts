import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { watchRedis } from "./redis-watch.js";

/** A watched connection with what was warned of. */
function watched() {
  const clock = manualClock(0);
  const redis = new EventEmitter();
  const warnings: unknown[] = [];
  const warn = (fields: { lostSeconds?: number; err?: Error }, sentence: string): void =>
    void warnings.push([sentence.split(";")[0], fields.lostSeconds, fields.err?.message]);
  const end = watchRedis(redis, clock, { warn });
  /** Attempts to connect, two seconds apart, that all fail. */
  const failFor = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 2 * SECOND_MS) {
      redis.emit("error", new Error("refused"));
      redis.emit("close");
      clock.advance(2 * SECOND_MS);
    }
  };
  return { redis, warnings, failFor, end };
}

test("a lost Redis is warned of once, then once a minute, and once when it is back", () => {
  const { redis, warnings, failFor } = watched();
  redis.emit("ready");
  redis.emit("close");
  failFor(2 * MINUTE_MS + 10 * SECOND_MS);
  redis.emit("ready");
  expect(warnings).toEqual([
    ["Redis is lost", undefined, undefined],
    ["Redis is still lost", 60, "refused"],
    ["Redis is still lost", 120, "refused"],
    ["Redis is back", 130, undefined],
  ]);
});

test("a Redis that is there says nothing, and a second loss is a loss of its own", () => {
  const { redis, warnings, failFor } = watched();
  redis.emit("ready");
  expect(warnings).toEqual([]);
  failFor(SECOND_MS);
  redis.emit("ready");
  failFor(SECOND_MS);
  expect(warnings.map((warning) => (warning as unknown[])[0])).toEqual([
    "Redis is lost",
    "Redis is back",
    "Redis is lost",
  ]);
});

test("a connection that is closed on purpose is not lost", () => {
  const { redis, warnings, end } = watched();
  redis.emit("ready");
  end();
  redis.emit("close");
  expect(warnings).toEqual([]);
});
