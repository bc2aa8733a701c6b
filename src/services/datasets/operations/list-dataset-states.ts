import { Type } from "typebox";
import { accountRead } from "../../../contract/account-read.js";
import { SNAPSHOT_GENERATION } from "../cursors.js";
import { datasetCursorDesk, datasetReading } from "../ports.js";
import { DatasetState } from "../records.js";

export const listDatasetStates = accountRead({
  rpc: "list-dataset-states",
  summary: "The current state of every dataset",
  description:
    "State and generation of every dataset, as of the newest change of the log. Pass `pollCursor` to `list-dataset-changes` to get the later changes. The list is empty until the service has logged the datasets for the first time.",
  access: { scope: "read" },
  needsPlan: true,
  uses: { reading: datasetReading, cursors: datasetCursorDesk },
  query: {},
  response: Type.Object(
    {
      datasets: Type.Array(DatasetState, { description: "The datasets, sorted by name" }),
      pollCursor: Type.String({ description: "Cursor with which to request the changes made after these states" }),
    },
    { title: "ListDatasetStatesResponse" },
  ),
  examples: [{}],
  async run(_query, { ports: { reading, cursors } }) {
    const { position, datasets } = await reading.states();
    const pollCursor = await cursors.sign({ position, snapshotGeneration: SNAPSHOT_GENERATION });
    return { datasets: [...datasets], pollCursor };
  },
});
