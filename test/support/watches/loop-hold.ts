import { monotonicMs } from "../../../src/kit/clock.js";

/** The longest time for which the event loop was blocked while work ran. */
export interface LoopHold {
  /** The longest time by the clock, which includes times in which a busy machine runs other processes. */
  readonly wallMs: number;
  /**
   * The longest CPU time that the process used, with all its threads, between two turns of the event loop. If the clock
   * time between two turns was shorter than the CPU time, the clock time counts.
   */
  readonly ownMs: number;
}

/** Runs work and measures every stretch between two turns of the event loop. */
export async function measuredHold<T>(work: () => Promise<T>): Promise<LoopHold & { readonly result: T }> {
  let [wallMs, ownMs] = [0, 0];
  let isOver = false;
  let last = { wall: monotonicMs(), cpu: cpuMs() };
  const turn = (): void => {
    const now = { wall: monotonicMs(), cpu: cpuMs() };
    const wall = now.wall - last.wall;
    wallMs = Math.max(wallMs, wall);
    ownMs = Math.max(ownMs, Math.min(wall, now.cpu - last.cpu));
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    return { result, wallMs, ownMs };
  } finally {
    isOver = true;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
