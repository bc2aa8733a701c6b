/**
 * True to run each test of a service in the distributed shape, two api and two ingest nodes on PostgreSQL and Redis:
 * `VIGIL_TEST_SHAPE=spread`.
 */
export const isSpread = process.env["VIGIL_TEST_SHAPE"] === "spread";

/** Number of nodes that answer the calls of a test in turn. */
export const nodeCount = isSpread ? 2 : 1;
