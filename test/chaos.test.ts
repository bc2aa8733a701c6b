import { expect, test } from "vitest";
import { SECOND_MS } from "../src/kit/clock.js";
import { playChaos } from "./acceptance/chaos/play.js";
import { availability, lines } from "./acceptance/chaos/report.js";
import { oneProcess } from "./acceptance/chaos/world.js";

/** A minute of light load, which leaves most of the processors to other tests. `npm run chaos` runs the long form. */
test("during a minute of chaos, one process on SQLite answers correctly and loses no acknowledged write", async () => {
  const said: string[] = [];
  const report = await playChaos({
    shape: oneProcess,
    seed: 23,
    durationMs: 60 * SECOND_MS,
    everyMs: 7 * SECOND_MS,
    isWhole: false,
    readers: 2,
    writers: 1,
    pauseMs: 100,
    say: (line) => said.push(line),
  });
  const story = [...said, ...lines(report)].join("\n");
  expect(report.wrong, story).toEqual([]);
  expect(availability(report), story).toBeGreaterThanOrEqual(0.999);
  expect(report.counts["acknowledged writes"], story).toBeGreaterThan(0);
}, 600_000);
