import { createStore, useStore } from "./store.js";

const TICK_MS = 15_000;

const now = createStore(Date.now());
setInterval(() => now.set(Date.now()), TICK_MS);

/** Now, epoch ms, in steps of some seconds, for texts such as "3 min ago". */
export function useNow(): number {
  return useStore(now);
}
