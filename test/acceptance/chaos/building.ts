import { SECOND_MS, systemClock } from "../../../src/kit/clock.js";
import { startVigil, type VigilProcess } from "../../support/process.js";
import { count, type Report } from "./report.js";
import type { World } from "./world.js";

/**
 * Publishes new editions of the upstreams' documents, and builds datasets from them with `vigil ingest`. The nodes run
 * their own builds at the same time.
 */
export interface Building {
  /** Repeats until `stop()` is called: publishes an edition, builds, and then waits `everyMs`. */
  run(everyMs: number): Promise<void>;
  /** Waits until a build is running, and kills it after `afterMs`. */
  killNext(afterMs: number): Promise<void>;
  /** Builds these datasets once. Returns the exit code or the signal. */
  build(names: readonly string[]): Promise<number | NodeJS.Signals>;
  stop(): void;
}

const BUILD_MS_MAX = 300 * SECOND_MS;

export function buildingOf(world: World, report: Report): Building {
  let current: VigilProcess | undefined;
  let isOver = false;
  const [node] = world.nodes;
  const { CHAOS_CLOCK_FILE: _clock, NODE_OPTIONS: _options, ...env } = node?.env ?? {};

  async function build(names: readonly string[]): Promise<number | NodeJS.Signals> {
    const running = startVigil(["ingest", ...names], env);
    current = running;
    const late = setTimeout(() => running.child.kill("SIGKILL"), BUILD_MS_MAX);
    const code = await running.ended;
    clearTimeout(late);
    current = undefined;
    count(report, code === 0 ? "builds" : "builds that failed");
    return code;
  }

  return {
    build,
    async run(everyMs) {
      while (!isOver) {
        world.upstreams.publish();
        await build(["us-cpi", "earthquakes"]);
        await systemClock.sleep(everyMs);
      }
    },
    async killNext(afterMs) {
      while (current === undefined && !isOver) await systemClock.sleep(10);
      await systemClock.sleep(afterMs);
      current?.child.kill("SIGKILL");
    },
    stop() {
      isOver = true;
    },
  };
}
