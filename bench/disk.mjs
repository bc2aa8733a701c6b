// Measures the disk space of a generation of a large dataset: unchanged, with 1 % of its rows changed, and with every
// row changed.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bodyStore } from "../dist/database/bodies.js";
import { openDatabase } from "../dist/database/open.js";
import { systemClock } from "../dist/kit/clock.js";
import { snapshotStore } from "../dist/snapshots/store.js";
import { eventsOf } from "./generations.mjs";

const ROWS = 200_000;
/**
 * Number of consecutive changed generations. A body is stored as a difference from the previous body, but every eighth
 * body as a difference from the body eight places before it. The number is a multiple of eight, so that both kinds of
 * difference have their usual share.
 */
const CHANGES = 16;
/** Every 64th generation is stored as a whole body. */
const WHOLE_EVERY = 64;

/**
 * Measures the bytes of the body files of a SQLite store. `changedShare` is the size of a generation with 1 % of its
 * rows changed, relative to a whole body. This size is the average size of a difference plus `1 / WHOLE_EVERY` of a
 * whole body.
 */
export async function diskRow(name) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-disk-"));
  const database = await openDatabase({ dataDir });
  try {
    const store = snapshotStore(database, bodyStore(database, dataDir, systemClock));
    let events = eventsOf(ROWS, 1);
    let at = systemClock.now();
    const publish = async () => {
      at += 1;
      const status = {
        dataset: "events",
        attemptedAt: at,
        outcome: "published",
        error: null,
        checkedAt: at,
        nextAt: null,
      };
      const run = { runId: `run-${at}`, status: { ...status, failuresInRow: 0, parts: {} }, reports: [] };
      const build = { records: { events }, newestAt: null, provenance: {} };
      const startedAt = performance.now();
      await store.publish("events", build, run, at);
      return performance.now() - startedAt;
    };
    const bytesOf = async (change, times = 1) => {
      const before = bodyBytes(dataDir);
      let ms = 0;
      for (let time = 0; time < times; time += 1) {
        events = change(events, time);
        ms += await publish();
      }
      return { bytes: (bodyBytes(dataDir) - before) / times, ms: ms / times };
    };
    const whole = await bytesOf((all) => all);
    const unchanged = await bytesOf((all) => all);
    // The changed rows are scattered over the list, as updates are.
    const changed = await bytesOf(
      (all, time) => all.map((event, index) => (index % 100 === time ? { ...event, deathsBest: 100 + time } : event)),
      CHANGES,
    );
    const wholly = await bytesOf(() => eventsOf(ROWS, 2).map((event) => ({ ...event, sideA: `${event.sideA} ` })));
    return {
      name,
      rows: ROWS,
      wholeBytes: whole.bytes,
      unchangedBytes: unchanged.bytes,
      changedBytes: Math.round(changed.bytes),
      changedShare: Number((changed.bytes / whole.bytes + 1 / WHOLE_EVERY).toFixed(4)),
      whollyChangedBytes: wholly.bytes,
      wholeMs: Math.round(whole.ms),
      changedMs: Math.round(changed.ms),
    };
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const bodyBytes = (dataDir) => {
  const folder = join(dataDir, "bodies");
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
};
