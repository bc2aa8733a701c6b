const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs `work` with an abort signal, and keeps the process alive until the work ends. Ctrl-C (SIGINT) and SIGTERM abort
 * the signal.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const interrupt = (): void => stop.abort(new Error("interrupted"));
  // Most timers in this program do not keep the process alive, but this one must.
  const awake = setInterval(() => undefined, 1 << 30);
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await work(stop.signal);
  } finally {
    clearInterval(awake);
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
