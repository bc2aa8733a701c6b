import { createStore, useStore } from "./store.js";
import { everyVisible } from "./visible.js";

const TICK_MS = 15_000;

const now = createStore(Date.now());
everyVisible(TICK_MS, () => now.set(Date.now()));

/** The current time, epoch ms, updated every 15 s while the page is visible, for texts such as "3 min ago". */
export function useNow(): number {
  return useStore(now);
}
