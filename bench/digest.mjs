// Measures the cost of a build of the news digest, from the bytes of its feeds to scored items, and how this cost grows
// with the number of feeds.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pinned } from "./load.mjs";

const run = promisify(execFile);
const script = fileURLToPath(new URL("./digest-process.mjs", import.meta.url));
const [FEEDS, TIMES, ITEMS, PASSES] = [250, 4, 50, 6];

/**
 * Measures one row of the benchmark report: the CPU time of the first build in a process, and that of the later builds.
 * Both are measured with `FEEDS` feeds and with 4 times as many. Times are medians over the rounds, except for
 * `firstMsWorst`.
 */
export async function digestRow(name, rounds) {
  const measured = [];
  for (let round = 0; round < rounds; round += 1) {
    const base = await costOf(FEEDS);
    const many = await costOf(FEEDS * TIMES);
    measured.push({ base, many, first: many.firstMs / base.firstMs, warm: many.warmMs / base.warmMs });
  }
  const of = (read, digits = 0) => Number(median(measured.map(read)).toFixed(digits));
  return {
    name,
    feeds: FEEDS,
    mentions: measured[0].base.mentions,
    stories: measured[0].base.stories,
    firstMs: of(({ base }) => base.firstMs),
    warmMs: of(({ base }) => base.warmMs),
    firstMsWorst: Math.round(Math.max(...measured.map(({ base }) => base.firstMs))),
    readMs: of(({ base }) => base.readMs),
    manyFirstMs: of(({ many }) => many.firstMs),
    manyWarmMs: of(({ many }) => many.warmMs),
    timesFirst: of(({ first }) => first, 2),
    timesWarm: of(({ warm }) => warm, 2),
  };
}

/**
 * Runs the builds in a separate process. All threads of the separate process, including those of the garbage collector
 * and the compiler, share one core.
 */
async function costOf(feeds) {
  const [command, ...rest] = pinned(0, [process.execPath, script, ...[feeds, ITEMS, PASSES].map(String)]);
  const { builds, mentions, stories } = JSON.parse((await run(command, rest)).stdout);
  const [first, ...later] = builds;
  return {
    mentions,
    stories,
    firstMs: first.cpuMs,
    warmMs: median(later.map(({ cpuMs }) => cpuMs)),
    readMs: median(later.map(({ readMs }) => readMs)),
  };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
