// Measures how long the event loop of this process is blocked.
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Ms for which this thread was ready to run while other processes occupied all processors; 0 if unknown. */
function waitedMs() {
  try {
    return Number(readFileSync("/proc/self/schedstat", "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Ms of CPU time that this process has used, in all its threads. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/**
 * Starts a measurement and returns a function that ends it. That function returns the longest time for which the loop
 * was blocked (`heldMs`), and the same without the time that other processes took (`ownHeldMs`). `ownHeldMs` is at most
 * the CPU time that this process used during the block.
 */
export function watchLoop() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [tickedAt, waited, used, ownMs] = [performance.now(), waitedMs(), cpuMs(), 0];
  const timer = setInterval(() => {
    const [now, waitedNow, usedNow] = [performance.now(), waitedMs(), cpuMs()];
    ownMs = Math.max(ownMs, Math.min(now - tickedAt - (waitedNow - waited), usedNow - used));
    [tickedAt, waited, used] = [now, waitedNow, usedNow];
  }, 1);
  return () => {
    delay.disable();
    clearInterval(timer);
    return { heldMs: delay.max / 1e6, ownHeldMs: ownMs };
  };
}
