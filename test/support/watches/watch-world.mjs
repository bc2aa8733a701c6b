// Datasets whose log and rows depend only on the tick, so that all processes of a run see the same data.
import { SECOND_MS } from "../../../dist/kit/clock.js";
import { seededRandom } from "../../../dist/kit/random.js";

export const START = Date.UTC(2026, 10, 23);
export const TICK_MS = 7_200 * SECOND_MS;
const ENTRIES_PER_TICK = 3;
const DATASETS = ["a", "b"];
const ROWS_MAX = 8;
const STATES = ["ok", "ok", "ok", "ok", "partial", "stale", "absent"];

/** The entries of all ticks up to and including this one. */
function entriesUpTo(tick) {
  const entries = [];
  for (let position = 1; position <= (tick + 1) * ENTRIES_PER_TICK; position += 1) {
    const random = seededRandom(position);
    const own = Math.floor((position - 1) / ENTRIES_PER_TICK);
    const place = (position - 1) % ENTRIES_PER_TICK;
    // All entries of a tick come before the instant of the tick.
    const at = START + own * TICK_MS - (ENTRIES_PER_TICK - place) * 60 * SECOND_MS;
    const dataset = DATASETS[Math.floor(random() * DATASETS.length)];
    const state = position <= DATASETS.length ? "ok" : STATES[Math.floor(random() * STATES.length)];
    entries.push({ position, at, dataset, state, generation: state === "absent" ? null : position });
  }
  return entries;
}

/** The rows of a generation. They depend only on its number. */
function rowsOf(generation) {
  const random = seededRandom(generation + 1_000_000);
  const rows = [];
  for (let id = 1; id <= ROWS_MAX; id += 1)
    if (random() < 0.6) rows.push({ id: `r${id}`, n: Math.floor(random() * 4) });
  return rows;
}

const absent = (dataset) => ({ dataset, generation: null, state: "absent" });

/** The log and the answers of a tick. `expressions` evaluates conditions. */
export function worldAt(tick, expressions) {
  const entries = entriesUpTo(tick);
  const standing = (position, dataset) =>
    entries.findLast((entry) => entry.dataset === dataset && entry.position <= position) ?? absent(dataset);
  const timeline = {
    extent: async () => ({ oldest: 1, newest: entries.length, snapshotGeneration: 0 }),
    after: async (position, entriesMax, datasets) =>
      entries
        .filter((entry) => entry.position > position && (datasets?.includes(entry.dataset) ?? true))
        .slice(0, entriesMax),
    standingsAt: async (position, datasets) =>
      datasets.map((dataset) => {
        const { generation, state } = standing(position, dataset);
        return { dataset, generation, state };
      }),
    positionAt: async (at) => entries.findLast((entry) => entry.at <= at)?.position ?? 0,
  };
  const reopen = (call) => {
    const datasets = call.split("of=")[1].split(",");
    return {
      call,
      key: call,
      path: "/api/test/v1/list-rows",
      datasets,
      isList: true,
      dependsOnTime: false,
      sources: [],
    };
  };
  const answers = {
    ...expressions,
    reopen,
    async answer(question, standings) {
      // Without the name of the dataset, rows of two datasets would have the same id.
      const rows = standings.flatMap(({ dataset, generation }) =>
        generation === null ? [] : rowsOf(generation).map((row) => ({ ...row, id: `${dataset}.${row.id}` })),
      );
      return {
        question,
        value: { rows },
        rows: async () => ({ rows: rows.map((row) => ({ id: row.id, row })), collisions: 0 }),
        withRows: (others) => ({ rows: others }),
      };
    },
  };
  return { timeline, answers };
}
