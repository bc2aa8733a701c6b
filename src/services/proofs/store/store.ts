import { proofKeys } from "../../../database/proof-keys.js";
import { leafOf, logSize, rangeHashes } from "../../../database/proof-log.js";
import { serviceStore, storeJob, storePort } from "../../../database/service-store.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { proofReading } from "../ports.js";

/** Makes the first key at the first start, and a new one every year. */
const keyJob = storeJob({
  name: "proof keys",
  everyMs: HOUR_MS,
  reads: {},
  run: (parts) => proofKeys(parts).keep(),
});

/** The Merkle log has its tables in the frame, because publishing writes to it. */
export const proofStore = serviceStore({
  migrations: () => ({}),
  jobs: [keyJob],
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
