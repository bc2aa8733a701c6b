import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { LimiterLost } from "./limiter.js";
import { watchRedis } from "./redis-watch.js";

/** A watched connection and its warnings. */
function watched() {
  const clock = manualClock(0);
  const redis = new EventEmitter();
  const warnings: unknown[] = [];
  const warn = (fields: { lostSeconds?: number; reason?: string }, sentence: string): void =>
    void warnings.push([sentence.split(";")[0], fields.lostSeconds, fields.reason]);
  const watch = watchRedis(redis, clock, { warn });
  /** Lets attempts to connect fail, one every two seconds. */
  const failFor = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 2 * SECOND_MS) {
      redis.emit("error", new Error("refused"));
      redis.emit("close");
      clock.advance(2 * SECOND_MS);
    }
  };
  return { clock, redis, warnings, failFor, watch };
}

const sentencesOf = (warnings: readonly unknown[]) => warnings.map((warning) => (warning as unknown[])[0]);

test("a loss of Redis is logged immediately and then once a minute, and its end is logged", () => {
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

test("nothing is logged while Redis is available, and a later loss is logged separately", () => {
  const { clock, redis, warnings, failFor } = watched();
  redis.emit("ready");
  expect(warnings).toEqual([]);
  failFor(SECOND_MS);
  redis.emit("ready");
  clock.advance(MINUTE_MS);
  failFor(SECOND_MS);
  expect(sentencesOf(warnings)).toEqual(["Redis is lost", "Redis is back", "Redis is lost"]);
});

test("the losses of a flapping Redis are logged at most once a minute", () => {
  const { redis, warnings, failFor } = watched();
  for (let times = 0; times < 40; times += 1) {
    failFor(SECOND_MS);
    redis.emit("ready");
  }
  expect(sentencesOf(warnings)).toEqual(["Redis is lost", "Redis is back", "Redis is lost", "Redis is back"]);
});

/** A command that Redis does not answer, with the number of its runs. */
function hanging() {
  const seen = { runs: 0 };
  const command = async (): Promise<never> => {
    seen.runs += 1;
    throw new Error("Command timed out");
  };
  return { seen, command };
}

test("a loss is logged even if the clock was ahead at the last warning", () => {
  const { clock, redis, warnings } = watched();
  redis.emit("close");
  redis.emit("ready");
  clock.set(-HOUR_MS);
  redis.emit("close");
  expect(sentencesOf(warnings)).toEqual(["Redis is lost", "Redis is back", "Redis is lost"]);
});

test("a hanging Redis counts as lost at the first late command, and as back at the next answered command", async () => {
  const { clock, redis, warnings, watch } = watched();
  const { command } = hanging();
  redis.emit("ready");
  for (let calls = 0; calls < 102; calls += 1) {
    await expect(watch.used(command)).rejects.toThrow(LimiterLost);
    clock.advance(SECOND_MS);
  }
  expect(await watch.used(async () => "answer")).toBe("answer");
  expect(warnings).toEqual([
    ["Redis is lost", undefined, "Command timed out"],
    ["Redis is still lost", 60, "Command timed out"],
    ["Redis is back", 102, undefined],
  ]);
});

test("a hanging Redis gets three commands, then one every two seconds; all others are refused immediately", async () => {
  const { clock, watch } = watched();
  const { seen, command } = hanging();
  for (let calls = 0; calls < 100; calls += 1) await expect(watch.used(command)).rejects.toThrow(LimiterLost);
  expect(seen.runs).toBe(3);
  for (let seconds = 0; seconds < 10; seconds += 1) {
    clock.advance(SECOND_MS);
    await Promise.allSettled(Array.from({ length: 10 }, () => watch.used(command)));
  }
  expect(seen.runs).toBe(3 + 5);
});

test("a connection that is ready again is used immediately", async () => {
  const { redis, watch } = watched();
  const { command } = hanging();
  for (let calls = 0; calls < 10; calls += 1) await expect(watch.used(command)).rejects.toThrow(LimiterLost);
  redis.emit("close");
  redis.emit("ready");
  expect(await watch.used(async () => "answer")).toBe("answer");
});

test("after Redis has refused ten commands with an error reply, it still gets the next command", async () => {
  const { watch } = watched();
  const wrong = Object.assign(new Error("WRONGTYPE"), { name: "ReplyError" });
  for (let calls = 0; calls < 10; calls += 1) {
    await expect(watch.used(() => Promise.reject(wrong))).rejects.toThrow(LimiterLost);
  }
  expect(await watch.used(async () => "answer")).toBe("answer");
});

test("a connection that is closed on purpose does not count as lost", () => {
  const { redis, warnings, watch } = watched();
  redis.emit("ready");
  watch.end();
  redis.emit("close");
  expect(warnings).toEqual([]);
});
