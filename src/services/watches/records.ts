import { type Static, type TSchema, Type } from "typebox";
import { snapshotStates } from "../../contract/snapshot.js";
import { sortablePattern } from "../../kit/sortable-id.js";
import { FIRING_PREFIX, WATCH_PREFIX } from "./rules/ids.js";
import {
  CALL_CHARACTERS_MAX,
  CONDITION_BYTES_MAX,
  EMAIL_CHARACTERS_MAX,
  EMAILS_MAX,
  FIRED_ROWS_MAX,
  IDENTITY_BYTES_MAX,
  NAME_CHARACTERS_MAX,
  QUIET_SECONDS_MAX,
} from "./rules/limits.js";

/**
 * The schemas of watch definitions and of firings. Instants are ISO 8601 in UTC. A member whose value is unknown is
 * absent.
 */

export const watchTriggers = [
  "WATCH_ON_NEW_ROWS",
  "WATCH_ON_CHANGED",
  "WATCH_ON_BECOMES_TRUE",
  "WATCH_ON_THRESHOLD_CROSSED",
  "WATCH_ON_STATE_CHANGES",
] as const;
export type WatchTrigger = (typeof watchTriggers)[number];

export const groupings = ["WATCH_GROUPING_EVALUATION", "WATCH_GROUPING_ROW"] as const;

export const firingKinds = [
  "WATCH_FIRING_KIND_FIRED",
  "WATCH_FIRING_KIND_RESOLVED",
  "WATCH_FIRING_KIND_FAILED",
  "WATCH_FIRING_KIND_NOTICE",
] as const;
export type FiringKind = (typeof firingKinds)[number];

const ID_CHARACTERS_MAX = 48;
const idOf = (prefix: string, description: string) =>
  Type.String({ pattern: sortablePattern(prefix), maxLength: ID_CHARACTERS_MAX, description });

export const WatchId = idOf(WATCH_PREFIX, "Id of the watch");
export const FiringId = idOf(FIRING_PREFIX, "Id of the firing, the same wherever it is delivered");

const Instant = (description: string) => Type.String({ format: "date-time", description: `${description}, ISO 8601` });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Threshold = Type.Object(
  {
    above: optional(Type.Number({ description: "Fires when the number rises above this" })),
    below: optional(Type.Number({ description: "Fires when the number falls below this" })),
    clearsAt: optional(
      Type.Number({ description: "Resolved once the number is back at this value; default: the threshold itself" }),
    ),
  },
  { title: "WatchThreshold", description: "Either `above` or `below`. Only with THRESHOLD_CROSSED." },
);

/** Members of a stored definition. */
export const definitionMembers = {
  name: Type.String({ minLength: 1, maxLength: NAME_CHARACTERS_MAX, description: "Name of the watch" }),
  call: Type.String({
    minLength: 1,
    maxLength: CALL_CHARACTERS_MAX,
    description:
      "Path and query of the watched GET, as in a batch; the answer must come from stored data alone, and the query must not use `jmespath` or paging",
  }),
  on: Type.Enum([...watchTriggers], {
    description:
      "NEW_ROWS: the list has new rows; CHANGED: rows were added, changed or removed, or the value changed; BECOMES_TRUE: the condition becomes true; THRESHOLD_CROSSED: the number crosses the threshold; STATE_CHANGES: the state of the data changes",
  }),
  condition: optional(
    Type.String({
      minLength: 1,
      maxLength: CONDITION_BYTES_MAX,
      description:
        "JMESPath on the whole answer; it yields rows, a value or a number. Required with BECOMES_TRUE and THRESHOLD_CROSSED, refused with STATE_CHANGES",
    }),
  ),
  identity: optional(
    Type.String({
      minLength: 1,
      maxLength: IDENTITY_BYTES_MAX,
      description:
        "JMESPath on a row; it yields the row's identity. Only with NEW_ROWS and CHANGED; default: the identity that the list declares, else the whole row",
    }),
  ),
  threshold: optional(Threshold),
  quietSeconds: Type.Integer({
    minimum: 0,
    maximum: QUIET_SECONDS_MAX,
    description:
      "Seconds after a firing during which the watch does not fire again; changes in this time are reported once, at its end",
  }),
  grouping: Type.Enum([...groupings], {
    description: `EVALUATION: one firing for all rows; ROW: one for each row, at most ${FIRED_ROWS_MAX} per evaluation`,
  }),
  emails: Type.Array(Type.String({ maxLength: EMAIL_CHARACTERS_MAX }), {
    maxItems: EMAILS_MAX,
    description: "Addresses that get every firing by email, once their owners have confirmed them",
  }),
};

export const WatchDefinition = Type.Object(definitionMembers, {
  title: "WatchDefinition",
  description: "A condition on the answers to a call.",
});
export type WatchDefinition = Static<typeof WatchDefinition>;

/** Members of a requested definition. */
export const requestMembers = {
  ...definitionMembers,
  quietSeconds: optional(Type.Integer({ ...definitionMembers.quietSeconds, default: 0 })),
  grouping: optional(definitionMembers.grouping),
  emails: optional(definitionMembers.emails),
};

export const WatchRequest = Type.Object(requestMembers, {
  title: "WatchRequest",
  description: "The definition of a watch. Without `grouping`, one firing has all rows.",
});
export type WatchRequest = Static<typeof WatchRequest>;

const isTruncated = optional(
  Type.Literal(true, { description: "True if a value was left out because of its size; `links` lead to it" }),
);

const FiredRow = Type.Object(
  {
    change: Type.Enum(["added", "changed", "removed"], { description: "Kind of change of the row" }),
    id: Type.String({ description: "Identity of the row; the second row with the same identity has `<id>#2`" }),
    before: optional(Type.Unknown({ description: "The row before the change; absent for an added row" })),
    after: optional(Type.Unknown({ description: "The row after the change; absent for a removed row" })),
    isTruncated,
  },
  { title: "WatchFiringRow", description: "A row that was added, changed or removed." },
);
export type FiredRow = Static<typeof FiredRow>;

const generations = (description: string) => Type.Record(Type.String(), Type.Integer({ minimum: 1 }), { description });

const path = (description: string) => Type.String({ description });

const Links = Type.Object(
  {
    answer: path("The answer at the time of the firing"),
    changes: optional(path("The rows that changed since the previous generations")),
    history: Type.Array(Type.String(), { description: "The recent changes of each dataset" }),
  },
  { title: "WatchFiringLinks", description: "Paths on this service that lead to the whole data." },
);

const FiringSource = Type.Object(
  {
    name: Type.String({ description: "Name of the source" }),
    url: Type.String({ description: "Home page of the source" }),
    licence: Type.String({ description: "Licence of the source" }),
  },
  { title: "WatchFiringSource", description: "A source of the data." },
);

export const WatchFiring = Type.Object(
  {
    position: Type.Integer({ minimum: 1, description: "Position in the log of the account" }),
    firingId: FiringId,
    watchId: WatchId,
    watchName: Type.String({ description: "Name of the watch at the time of the firing" }),
    kind: Type.Enum([...firingKinds], {
      description:
        "FIRED: the watched event has happened; RESOLVED: it has ended; FAILED: the watch cannot be evaluated; NOTICE: changes could not be compared",
    }),
    on: Type.Enum([...watchTriggers], { description: "Trigger of the watch" }),
    firedAt: Instant("Time of the change, or the end of the quiet period"),
    call: Type.String({ description: "The watched call" }),
    state: Type.Enum([...snapshotStates], {
      description: "State of the data: the worst state among the datasets of the call",
    }),
    generations: generations("Generations of the datasets that have one"),
    previousGenerations: optional(generations("The generations that this firing compares with")),
    before: optional(Type.Unknown({ description: "Previous value of the condition or answer, or previous state" })),
    after: optional(Type.Unknown({ description: "Present value of the condition or answer, or present state" })),
    isTruncated,
    rows: optional(
      Type.Array(FiredRow, {
        maxItems: FIRED_ROWS_MAX,
        description: "The first rows: those added, then those changed, then those removed",
      }),
    ),
    addedCount: optional(count("Number of added rows, including those not in `rows`")),
    changedCount: optional(count("Number of changed rows, including those not in `rows`")),
    removedCount: optional(count("Number of removed rows, including those not in `rows`")),
    collidingIdentities: optional(count("Number of rows with the same identity as an earlier row of the same answer")),
    skippedGenerations: optional(count("Number of dataset changes since the last firing that were not evaluated")),
    message: optional(Type.String({ description: "The failure or the notice, as a sentence" })),
    links: Links,
    sources: Type.Array(FiringSource, { description: "The sources behind the data" }),
  },
  { title: "WatchFiring", description: "One firing of a watch, at its position in the log of the account." },
);
export type WatchFiring = Static<typeof WatchFiring>;
