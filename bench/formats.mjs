// Requests a list of 20,000 conflict events in every format, and measures how long the event loop of the service is
// blocked.
import { EVENTS_BEGIN } from "./generations.mjs";
import { openPair } from "./store-pair.mjs";

const EVENTS = 20_000;
const CALLS = 12;
const LIST = "/api/conflict/v1/list-alpha-events";
const formats = ["json", "csv", "ndjson", "geojson"];

/** Measures for each format the median time of an answer and the longest time for which the event loop is blocked. */
export async function formatRows(key) {
  const pair = await openPair({ key, what: "recent", count: EVENTS, port: 18_794 });
  const rows = [];
  try {
    for (const format of formats) rows.push(await formatRow(pair, format));
    return rows;
  } finally {
    await pair.close();
  }
}

async function formatRow({ base, headers, server }, format) {
  const measured = [];
  for (let call = 0; call < CALLS; call += 1) {
    // Every call has a different time range, so that no cache has its answer.
    const end = EVENTS_BEGIN + 365 * 86_400_000 + formats.indexOf(format) * CALLS + call;
    await server.ask("watch");
    const startedAt = performance.now();
    const answer = await fetch(`${base}${LIST}?start=1&end=${end}&format=${format}`, { headers });
    const firstByteMs = performance.now() - startedAt;
    // The answer is not parsed, because parsing would take CPU time from the service.
    const bytes = (await answer.arrayBuffer()).byteLength;
    const ms = performance.now() - startedAt;
    const { ownHeldMs, heldMs } = await server.ask("held");
    if (answer.status !== 200 || bytes < EVENTS * 100) throw new Error(`${format}: ${answer.status}, ${bytes} bytes`);
    measured.push({ ms, firstByteMs, ownHeldMs, heldMs, bytes });
  }
  // The first calls are a warm-up.
  const warm = measured.slice(2);
  return {
    name: `20,000 events as ${format}`,
    bytes: warm[0].bytes,
    ownHeldMs: Math.round(Math.max(...measured.map(({ ownHeldMs }) => ownHeldMs))),
    heldMs: Math.round(Math.max(...measured.map(({ heldMs }) => heldMs))),
    firstByteMs: Math.round(median(warm.map(({ firstByteMs }) => firstByteMs))),
    p50Ms: Math.round(median(warm.map(({ ms }) => ms))),
  };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
