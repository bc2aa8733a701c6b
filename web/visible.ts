/** True while the page is visible. A hidden page holds no connection and sends no requests. */
export const isVisible = (): boolean => document.visibilityState === "visible";

/** Calls the listener when the page is shown or hidden, until the returned function is called. */
export function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}

/**
 * Calls `work` at this interval while the page is visible. If calls were missed while the page was hidden, calls `work`
 * once when the page becomes visible again.
 */
export function everyVisible(everyMs: number, work: () => void): () => void {
  let isMissed = false;
  const turn = (): void => {
    isMissed = !isVisible();
    if (!isMissed) work();
  };
  const timer = setInterval(turn, everyMs);
  const stopListening = onVisibility(() => {
    if (isMissed) turn();
  });
  return () => {
    clearInterval(timer);
    stopListening();
  };
}
