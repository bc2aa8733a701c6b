/**
 * Runs `work` one run at a time. All calls during a run share the next run, which sees everything that happened before
 * these calls. A failed run rejects only the promises of its own callers and does not stop the next run.
 */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let queued: Promise<void> | undefined;

  function start(): Promise<void> {
    queued = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  }

  return () => {
    // When a run has ended, the queued run starts only some microtasks later. A call in between belongs to that run.
    if (queued !== undefined) return queued;
    if (running === undefined) return start();
    queued = running.catch(ignored).then(start);
    return queued;
  };
}

function ignored(): void {}
