// Measures reads of the past. Reads from memory are compared with reads of the newest generation that have the same
// answer. Other reads must load their generation from the store.
import { load } from "./load.mjs";
import { openPair } from "./store-pair.mjs";

const ROWS = 2_000;
const PORT = 18_793;
/**
 * Number of generations. The measurement of reads from the store reads each generation once, because a second read
 * would come from memory.
 */
const GENERATIONS = 60;
const LIST = "/api/bench/v1/list-rows";

/**
 * Measures reads of the past in two rows. For reads from memory: the requests per second, and the time of a read
 * relative to a read of the newest generation. For reads from the store: the latency.
 */
export async function pastRows(key, seconds, rounds) {
  const pair = await openPair({ key, what: "rows", count: ROWS, port: PORT });
  try {
    const instants = [Date.now()];
    for (let build = 0; build < GENERATIONS; build += 1) {
      // Waits, so that each generation is published in a different millisecond.
      await later(2);
      await pair.build();
      instants.push(Date.now());
    }
    await pair.server.ask("swap");
    return [await warmRow(pair, instants.at(-1), seconds, rounds), await coldRow(pair, instants.slice(0, -1))];
  } finally {
    await pair.close();
  }
}

async function warmRow({ base, headers, get }, at, seconds, rounds) {
  const [newest, past] = [LIST, `${LIST}?as_of=${at}`];
  if ((await get(newest)).body !== (await get(past)).body) throw new Error("the answers differ");
  const measured = [];
  let wrong = 0;
  // The first round is a warm-up for both reads.
  for (let round = 0; round <= rounds; round += 1) {
    const [ours, theirs] = [await load(base + past, headers, seconds), await load(base + newest, headers, seconds)];
    wrong += ours.wrong + theirs.wrong;
    if (round > 0) measured.push({ perSecond: ours.perSecond, timesNewest: theirs.perSecond / ours.perSecond });
  }
  return {
    name: "past, from memory",
    perSecond: Math.round(median(measured.map(({ perSecond }) => perSecond))),
    timesNewest: Number(median(measured.map(({ timesNewest }) => timesNewest)).toFixed(3)),
    wrong,
  };
}

async function coldRow({ get }, instants) {
  const times = [];
  for (const [index, at] of instants.entries()) {
    const { ms, generation } = await get(`${LIST}?all=true&as_of=${at}`);
    if (!generation.endsWith(`=${index + 1}`)) throw new Error(`generation ${index + 1} expected, not ${generation}`);
    // The first reads are a warm-up.
    if (index >= 5) times.push(ms);
  }
  return { name: "past, from the store", rows: ROWS, p50Ms: round2(median(times)), maxMs: round2(Math.max(...times)) };
}

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const round2 = (value) => Number(value.toFixed(2));
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
