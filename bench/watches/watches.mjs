// Measures the CPU time to evaluate up to 5,000 watches over 20 lists, one of which has a new generation. Also measures
// how long the service's event loop is blocked meanwhile.
import { definitionOf } from "./definitions.mjs";
import { lists } from "./lists.mjs";
import { openWorld } from "./world.mjs";

const UNRELATED = { few: 500, many: 4_000 };
const [measured, ...others] = lists;
/** A page of the list that changes, and a small answer. */
const READS = [`${measured.path}?country=SD&page_size=100`, "/api/economic/v1/get-us-treasury-par-yield-curve"];

/**
 * Measures several combinations of the number of watches that read the changed list and the number of other watches.
 * Reports one row for each combination. `cpuMs` is the CPU time that a generation takes while no reads run. Further
 * figures are measured while reads run: `heldMs` is the time for which a generation blocks the event loop, and `p99Ms`
 * is the 99th percentile of the latency of the reads. Runs on PostgreSQL if `databaseUrl` names an empty database.
 */
export async function watchRows({ key, rounds, databaseUrl }, tell) {
  const world = await openWorld(key, databaseUrl);
  const planned = new Map(lists.map((list) => [list, 0]));
  const plan = (list, count) => {
    for (let index = planned.get(list); index < count; index += 1) world.plan(definitionOf(list, index));
    planned.set(list, Math.max(count, planned.get(list)));
  };
  const row = async (readers, unrelated) => {
    plan(measured, readers);
    for (const [at, list] of others.entries()) plan(list, shareOf(unrelated, at));
    await world.create();
    tell({ readers, watches: readers + unrelated, ...(await generation(world, rounds)) });
  };
  try {
    for (const readers of [0, 1, 25]) await row(readers, UNRELATED.few);
    for (const readers of [25, 250, 1_000]) await row(readers, UNRELATED.many);
  } finally {
    await world.close();
  }
}

/** Returns the number of watches on the list `others[at]`, if `count` watches are divided among the `others`. */
function shareOf(count, at) {
  const upTo = (lists) => Math.floor((lists * count) / others.length);
  return upTo(at + 1) - upTo(at);
}

/** Publishes generations of the measured list; returns the medians without reads, and the worst values with reads. */
async function generation(world, rounds) {
  const [quiet, loaded] = [[], []];
  const publish = () => world.publish(measured.dataset);
  // The first generation is a warm-up.
  await publish();
  for (let round = 0; round < rounds; round += 1) {
    quiet.push(await publish());
    const stopReading = world.read(READS);
    loaded.push({ ...(await publish()), ...(await stopReading()) });
  }
  const worst = (name) => Number(Math.max(...loaded.map((each) => each[name])).toFixed(1));
  return {
    cpuMs: Math.round(median(quiet.map(({ cpuMs }) => cpuMs))),
    wallMs: Math.round(median(quiet.map(({ wallMs }) => wallMs))),
    firings: median(quiet.map(({ firings }) => firings)),
    heldMs: worst("heldMs"),
    ownHeldMs: worst("ownHeldMs"),
    p50Ms: worst("p50Ms"),
    p99Ms: worst("p99Ms"),
  };
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
