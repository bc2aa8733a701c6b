// Measures how long the service takes to answer with the changes between two generations of a long list. One percent of
// the rows have changed.
import { openPair } from "./store-pair.mjs";

const ROWS = 200_000;
const CHANGED = ROWS / 100;
const PORT = 18_794;
const LIST = "/api/conflict/v1/list-beta-events";

/**
 * Measures the worst and median times of two requests over `rounds` generations: the first request compares the lists,
 * and the second, for a page of another size, reuses the comparison. Also measures how long the first request blocks
 * the event loop (`heldMs` and `ownHeldMs`, explained in `loop-hold.mjs`).
 */
export async function deltaRow(key, rounds) {
  const pair = await openPair({ key, what: "revised", count: ROWS, port: PORT });
  const measured = [];
  try {
    // The first rounds are a warm-up.
    for (let round = 0; round < rounds + 3; round += 1) {
      const generation = await pair.build();
      await pair.server.ask("swap");
      const since = `${LIST}?since_generation=${generation - 1}`;
      await later(500);
      await pair.server.ask("watch");
      const first = await changesOf(pair, since, 2_000);
      await later(100);
      const held = await pair.server.ask("held");
      const page = await changesOf(pair, since, 1_000);
      if (round >= 3) measured.push({ firstMs: first.ms, pageMs: page.ms, ...held });
    }
  } finally {
    await pair.close();
  }
  const columns = Object.keys(measured[0]).map((name) => {
    const sorted = measured.map((row) => row[name]).sort((a, b) => a - b);
    return [
      [name, sorted.at(-1)],
      [`${name}Median`, sorted[Math.floor(sorted.length / 2)]],
    ];
  });
  const figures = columns.flat().map(([name, value]) => [name, Number(value.toFixed(1))]);
  return { rows: ROWS, changed: CHANGED, ...Object.fromEntries(figures) };
}

async function changesOf(pair, since, pageRows) {
  const answer = await pair.get(`${since}&page_size=${pageRows}`);
  const { events, delta } = JSON.parse(answer.body);
  if (events.length !== pageRows || delta.changes.length !== pageRows || delta.changedCount !== CHANGED) {
    throw new Error(`${since}: ${events.length} rows of ${delta.changedCount} changes`);
  }
  return answer;
}

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
