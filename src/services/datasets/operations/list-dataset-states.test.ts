import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import { listDatasetStates } from "./list-dataset-states.js";

test("list-dataset-states serves the states with a cursor for the position at which they were read", async () => {
  const datasets = [{ dataset: "a", state: "ok", changedAt: "2026-11-23T00:00:00.000Z" } as const];
  const answer = await listDatasetStates.run(
    {},
    {
      principal: keyHolder,
      ports: {
        reading: {
          states: async () => ({ position: 6, datasets }),
          changesAfter: async () => {
            throw new Error("the test does not expect this call");
          },
        },
        cursors: {
          open: async () => ({ position: 0, snapshotGeneration: 0 }),
          sign: async ({ position }) => String(position),
        },
      },
    },
  );
  expect(answer).toEqual({ datasets, pollCursor: "6" });
});
