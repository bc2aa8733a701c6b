import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { snapshotStates } from "../../../contract/snapshot.js";
import type { Immutable } from "../../../contract/write.js";
import { instantOrNull, orNull, partAgeMembers } from "./members.js";

/* The answer of /api/health. Instants are in epoch ms. */

export const partStates = ["fresh", "kept", "missing", "off"] as const;
const PART_STATE =
  "`fresh`: read in the newest run; `kept`: older records are served; `missing`: nothing to serve; `off`: it lacks a setting or is switched off";

export const partState = Type.Enum([...partStates], { description: PART_STATE });

const PartHealth = Type.Object(
  {
    name: Type.String({ description: "Name of the part" }),
    state: partState,
    confirmedAt: instantOrNull("Time at which an upstream last confirmed the part's records, null for never"),
    error: orNull(Type.String(), "Error of the newest read in words, null if it succeeded"),
    passedOver: orNull(Type.String(), "Error of a preferred source, null unless another source was read in its place"),
    ...partAgeMembers,
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: "Warnings about optional fields that suddenly lack values" }),
    ),
  },
  { title: "PartHealth", description: "The state of an independently read part of a dataset." },
);

const DatasetHealth = Type.Object(
  {
    name: Type.String({ description: "Name of the dataset" }),
    state: Type.Enum([...snapshotStates], {
      description:
        "`ok`: complete and fresh; `partial`: a part is missing or old; `stale`: older than its limit; `absent`: nothing is stored; `unreadable`: stored but broken",
    }),
    stateReasons: Type.Array(Type.String(), { description: "Reasons why the state is not `ok`, one sentence each" }),
    reason: Type.Optional(Type.String({ description: "Reason why no data is served; absent if data is served" })),
    generation: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          "Served generation; absent without data, as are `builtAt`, `checkedAt`, `newestAt` and the two ages",
      }),
    ),
    builtAt: Type.Optional(epochMs("Time at which the generation was published")),
    checkedAt: Type.Optional(epochMs("Time at which an upstream last confirmed the generation")),
    checkedAgeSeconds: Type.Optional(Type.Integer({ description: "Seconds since the last confirmation" })),
    newestAt: Type.Optional(instantOrNull("Newest observation in the generation, null if its records have no time")),
    newestAgeSeconds: Type.Optional(
      orNull(Type.Integer(), "Seconds since the newest observation, null if the generation's records have no time"),
    ),
    attemptedAt: instantOrNull("End of the newest run, null before the first one"),
    outcome: orNull(
      Type.Enum(["published", "unchanged", "failed", "unconfigured"]),
      "Result of the newest run: a new generation, the same content, a failure, or a missing setting; null before the first one",
    ),
    error: orNull(Type.String(), "Error of the newest run in words, null if it succeeded"),
    failuresInRow: Type.Integer({ minimum: 0, description: "Runs that have failed since the last success" }),
    nextAt: instantOrNull("Time of the next run, null if none is scheduled"),
    troubleCount: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "Number of failing requests of a collection with many requests; `troubles` in the dataset's card (`/api/datasets`) lists them",
      }),
    ),
    parts: Type.Array(PartHealth, { description: "Parts that have been read, in the order of their declaration" }),
  },
  { title: "DatasetHealth", description: "The state of a dataset, its times and its last error." },
);
export type DatasetHealth = Immutable<Static<typeof DatasetHealth>>;

const CredentialSetting = Type.Object(
  {
    variable: Type.String({ description: "Name of the setting" }),
    isSet: Type.Boolean({ description: "True if it has a value" }),
    description: Type.String({ description: "Meaning of the setting" }),
    sources: Type.Array(Type.String(), { description: "Ids of the sources that need it" }),
  },
  {
    title: "CredentialSetting",
    description: "A setting that holds a credential of a source. Its value is never shown.",
  },
);

const OnDemandHealth = Type.Object(
  {
    name: Type.String({ description: "Name of the read" }),
    sources: Type.Array(Type.String(), { description: "Ids of its sources" }),
    at: epochMs("Time of the newest read"),
    state: Type.Enum(["ok", "stale", "failed"], {
      description: "`ok`: a source was read; `stale`: an older answer was served; `failed`: nothing was served",
    }),
    error: orNull(Type.String(), "Error in words, null unless the state is `failed`"),
    passedOver: Type.Array(Type.String(), {
      description:
        "Errors of the other sources of this read. If a source refused the service's account and then answered without an account, the refusal is also listed",
    }),
  },
  { title: "OnDemandHealth", description: "The outcome of the newest upstream read that a request made." },
);

const BudgetUse = Type.Object(
  {
    name: Type.String({ description: "Name of the budget" }),
    cycle: Type.String({ description: "First day of the billing cycle, YYYY-MM-DD" }),
    used: Type.Integer({ minimum: 0, description: "Units used in this cycle" }),
    max: Type.Integer({ minimum: 0, description: "Units available in each cycle" }),
  },
  { title: "BudgetUse", description: "The use of a budget of paid upstream calls." },
);

const UnknownMember = Type.Object(
  {
    member: Type.String({ description: "Name of the member that is null" }),
    why: Type.String({ description: "Reason in words" }),
  },
  { title: "UnknownMember", description: "A member of the answer that could not be read." },
);

const compactMembers = {
  status: Type.Enum(["ok", "degraded"], {
    description: "`ok` if every dataset is `ok` and the store accepts writes",
  }),
  states: Type.Record(Type.String(), Type.Integer({ minimum: 1 }), {
    description: "Number of datasets in each state; states without datasets are absent",
  }),
  simulated: Type.Boolean({ description: "True for a demo, whose data is invented" }),
  store: Type.Object(
    {
      kind: Type.Enum(["sqlite", "postgres"], { description: "The database" }),
      trouble: orNull(Type.String(), "Reason why the store is unavailable, null while it is available"),
    },
    { description: "The store" },
  ),
};

export const CompactHealth = Type.Object(compactMembers);
export type CompactHealth = Immutable<Static<typeof CompactHealth>>;

const longMembers = {
  version: Type.String({ description: "Version of the service" }),
  startedAt: epochMs("Start of the process"),
  now: epochMs("Time of the answer"),
  settings: Type.Array(CredentialSetting, {
    description: "Settings with the credentials of sources; empty for callers other than the operator",
  }),
  datasets: Type.Array(DatasetHealth, { description: "Every dataset that is built" }),
  onDemand: Type.Array(OnDemandHealth, {
    description:
      "Upstream reads at request time, with the newest outcome of each since the service started, sorted by name",
  }),
  budgets: orNull(Type.Array(BudgetUse), "Use of the budgets of paid upstream calls; null if it is unknown"),
  services: orNull(
    Type.Record(Type.String(), Type.Record(Type.String(), Type.Number())),
    "Figures of the stores of services, by service; null if they are unknown",
  ),
  unreadableTokenKeys: Type.Array(Type.String(), { description: "Ids of token keys that cannot be read" }),
  unknown: Type.Array(UnknownMember, { description: "Members that could not be read, with the reason" }),
};

const LongHealth = Type.Object({ ...compactMembers, ...longMembers });
/** The answer without `compact=1`. */
export type LongHealth = Immutable<Static<typeof LongHealth>>;

/** With `compact=1` the members after `store` are absent. */
export const Health = Type.Object(
  { ...compactMembers, ...Type.Partial(Type.Object(longMembers)).properties },
  { title: "Health", description: "The health of the service. `compact=1` leaves out the members after `store`." },
);
