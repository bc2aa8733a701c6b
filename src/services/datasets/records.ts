import { type Static, type TString, Type } from "typebox";
import { snapshotStates } from "../../contract/snapshot.js";

/** The states of datasets as served. Instants are ISO 8601 in UTC. A member whose value is unknown is absent. */

export const pollStates = ["DATASET_POLL_STATE_CURRENT", "DATASET_POLL_STATE_SNAPSHOT_REQUIRED"] as const;

/** The pattern of a dataset's name. */
export const DATASET_NAME = "^[a-z0-9][a-z0-9-]*$";

const instant = (description: string): TString =>
  Type.String({ format: "date-time", description: `${description}, ISO 8601` });

const stateMembers = {
  dataset: Type.String({ pattern: DATASET_NAME, description: "Name of the dataset, as in `/api/datasets`" }),
  state: Type.Enum([...snapshotStates], {
    description:
      "`ok`: complete and fresh; `partial`: a part is missing or old; `stale`: older than its limit; `absent`: nothing is stored, or the dataset is not built; `unreadable`: stored but broken",
  }),
  generation: Type.Optional(
    Type.Integer({ minimum: 1, description: "The generation that answers are made from; absent if there is none" }),
  ),
  contentHash: Type.Optional(
    Type.String({ description: "SHA-256 of the generation's content, hex; a new generation has another hash" }),
  ),
  newestAt: Type.Optional(instant("Time of the newest observation in the generation")),
  changedAt: instant("Time at which this state was logged"),
};

export const DatasetState = Type.Object(stateMembers, {
  title: "DatasetState",
  description: "The current state of a dataset.",
});
export type DatasetState = Static<typeof DatasetState>;

export const DatasetChange = Type.Object(
  {
    position: Type.Integer({ minimum: 1, description: "Position in the log" }),
    ...stateMembers,
    previousState: Type.Optional(
      Type.Enum([...snapshotStates], {
        description: "State before the change; absent in the first change of a dataset",
      }),
    ),
  },
  { title: "DatasetChange", description: "The state of a dataset after a change, at its position in the log." },
);
export type DatasetChange = Static<typeof DatasetChange>;
