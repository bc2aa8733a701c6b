import { proofKeys } from "../../../database/proof-keys.js";
import { appendMissing, leafOf, logSize, rangeHashes } from "../../../database/proof-log.js";
import { serviceStore, storeJob, storePort } from "../../../database/service-store.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { proofReading } from "../ports.js";

/**
 * Creates a signing key unless this node can read a key younger than a year. Appends missing generations to the Merkle
 * log.
 */
const upkeepJob = storeJob({
  name: "proof upkeep",
  everyMs: HOUR_MS,
  reads: {},
  async run(parts) {
    await proofKeys(parts).keep();
    await appendMissing(parts.database);
  },
});

/**
 * This store has no tables. The tables of the Merkle log are part of `Database`, because publishing writes to the log.
 */
export const proofStore = serviceStore({
  migrations: () => ({}),
  jobs: [upkeepJob],
  ports: (parts) => {
    const keys = proofKeys(parts);
    return [
      storePort(proofReading, ({ db }) => ({
        size: () => logSize(db),
        async leafOf(dataset, generation) {
          const row = await leafOf(db, dataset, generation);
          return row && { leafIndex: row.leaf_index, leaf: row.entry };
        },
        async hashesOf(ranges) {
          return (await rangeHashes(db, ranges)).map((hash) => Buffer.from(hash).toString("hex"));
        },
        signed: async (head) => ({ ...head, ...(await keys.sign(head)) }),
      })),
    ];
  },
});
