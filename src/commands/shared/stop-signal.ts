interface Stop {
  /** Resolves to the first signal that arrives. */
  readonly signal: Promise<NodeJS.Signals>;
  /** Stops waiting for a signal, so that the process can end without one. */
  release(): void;
}

/** Keeps the process alive until one of these signals. A second signal ends the process immediately. */
export function stopSignal(names: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM"]): Stop {
  // Most timers in this service do not keep the process alive, but this one must.
  const awake = setInterval(() => undefined, 1 << 30);
  let settle: (signal: NodeJS.Signals) => void = () => undefined;
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    settle = resolve;
  });
  const release = (): void => {
    clearInterval(awake);
    for (const name of names) process.off(name, stop);
  };
  function stop(signal: NodeJS.Signals): void {
    // Without a listener, the next signal has its default effect.
    release();
    settle(signal);
  }
  for (const name of names) process.on(name, stop);
  return { signal: signalled, release };
}
