// Adopts a new generation under load: measures how long the event loop is blocked, and checks for failed requests.
import { EVENTS_BEGIN } from "./generations.mjs";
import { load } from "./load.mjs";
import { openPair } from "./store-pair.mjs";

const PORT = 18_790;
const LOAD_SECONDS = 3;
const LIST = "/api/bench/v1/list-rows";
const EVENTS = "/api/conflict/v1/list-beta-events";
const DAY_MS = 86_400_000;
const timeOf = (from, to) => `start=${EVENTS_BEGIN + from * DAY_MS}&end=${EVENTS_BEGIN + to * DAY_MS}`;

/**
 * The datasets to swap, by name, each with its number of rows, the address that is requested again and again, and a
 * function that sends further requests during a swap.
 */
const cases = {
  rows: {
    count: 50_000,
    path: LIST,
    async beside({ get }, swap) {
      const [whole, filtered] = await Promise.all([get(`${LIST}?all=true`), get(LIST + filterOf(swap))]);
      if (JSON.parse(whole.body).rows.length !== cases.rows.count) throw new Error("the list is incomplete");
      if (JSON.parse(filtered.body).length !== 200) throw new Error("the filter did not return 200 rows");
      return { wholeListMs: whole.ms, filterMs: filtered.ms };
    },
  },
  events: {
    count: 200_000,
    path: `${EVENTS}?country=SD&${timeOf(100, 300)}&page_size=100`,
    /**
     * Pages through a list whose generation is replaced between two pages. The service must then read the earlier
     * generation from the store again.
     */
    async beside({ get, swapped }, swap) {
      const list = `${EVENTS}?page_size=2000&start=${swap}`;
      let page = await get(list);
      let earlierPageMs = 0;
      for (let pages = 0; pages < 6; pages += 1) {
        if (pages === 3) await swapped;
        const next = await get(`${list}&cursor=${JSON.parse(page.body).pagination.nextCursor}`);
        if (next.generation !== page.generation) throw new Error("the page has a different generation from the list");
        page = next;
        earlierPageMs = Math.max(earlierPageMs, next.ms);
      }
      return { earlierPageMs };
    },
  },
};

/**
 * Returns `{ rows, swaps, heldMs, quietHeldMs, … }`. Every duration is the longest of all swaps, unless its name ends
 * in `Median`. `heldMs` states how long the event loop was blocked under load during a swap. `quietHeldMs` states the
 * same under load before the swap.
 */
export async function swapUnderLoad(key, what, swaps) {
  const { count, path, beside } = cases[what];
  const pair = await openPair({ key, what, count, port: PORT });
  const { server, base, headers } = pair;
  const measured = [];
  try {
    for (let swap = 0; swap < swaps; swap += 1) {
      await pair.build();
      await server.ask("watch");
      await load(base + path, headers, 1);
      const quiet = await server.ask("held");
      const loaded = load(base + path, headers, LOAD_SECONDS);
      await server.ask("watch");
      const swapped = server.ask("swap");
      const others = await beside({ get: pair.get, swapped }, swap);
      const swapMs = await swapped;
      await later(1_000);
      const held = await server.ask("held");
      const { wrong } = await loaded;
      measured.push({ ...held, quietHeldMs: quiet.heldMs, swapMs, failed: wrong, ...others });
    }
  } finally {
    await pair.close();
  }
  const worst = Object.keys(measured[0]).map((name) => [name, Math.max(...measured.map((swap) => swap[name]))]);
  const medians = ["heldMs", "ownHeldMs"].map((name) => [`${name}Median`, median(measured.map((swap) => swap[name]))]);
  const row = { rows: count, swaps, ...Object.fromEntries([...worst, ...medians]) };
  row.failed = measured.reduce((sum, { failed }) => sum + failed, 0);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value.toFixed(1))]));
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const filterOf = (swap) =>
  `?all=true&jmespath=${encodeURIComponent(`rows[?value > \`${swap / 100}\` && lat > \`-80\`] | [-200:].{id: id, value: value}`)}`;
