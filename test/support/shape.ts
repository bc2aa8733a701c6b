/**
 * True if `VIGIL_TEST_SHAPE=spread`. Each test of a service then runs in the distributed shape: two api and two ingest
 * nodes on PostgreSQL and Redis.
 */
export const isSpread = process.env["VIGIL_TEST_SHAPE"] === "spread";

/** Number of nodes that answer the calls of a test in turn. */
export const nodeCount = isSpread ? 2 : 1;
