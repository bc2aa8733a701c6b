import { type Static, type TSchema, Type } from "typebox";
import { definitionMembers, WatchId } from "./records.js";

/** The served watches. Instants are ISO 8601 in UTC. A member whose value is unknown is absent. */

export const watchStates = ["WATCH_STATE_ACTIVE", "WATCH_STATE_PAUSED", "WATCH_STATE_DISABLED"] as const;
export type WatchState = (typeof watchStates)[number];

export const recipientStates = [
  "WATCH_RECIPIENT_STATE_PENDING",
  "WATCH_RECIPIENT_STATE_CONFIRMED",
  "WATCH_RECIPIENT_STATE_REFUSED",
  "WATCH_RECIPIENT_STATE_STOPPED",
] as const;

const Recipient = Type.Object(
  {
    email: Type.String({ description: "One of the addresses in `emails`" }),
    state: Type.Enum([...recipientStates], {
      description:
        "PENDING: the owner of the address has not confirmed it; CONFIRMED: the address gets every firing; REFUSED: the mail server refuses the address; STOPPED: the owner has stopped the emails of this watch",
    }),
    reason: Type.Optional(Type.String({ description: "The mail server's reason for refusing the address" })),
  },
  { title: "WatchRecipient", description: "An address that a watch names, and whether the address gets emails." },
);
export type Recipient = Static<typeof Recipient>;

const Instant = (description: string) => Type.String({ format: "date-time", description: `${description}, ISO 8601` });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** The members of a watch without the link to its feed. */
const linklessMembers = {
  watchId: WatchId,
  ...definitionMembers,
  recipients: optional(Type.Array(Recipient, { description: "The state of each address" })),
  datasets: Type.Array(Type.String(), { description: "The datasets that the call reads" }),
  state: Type.Enum([...watchStates], {
    description:
      "ACTIVE: the watch is evaluated; PAUSED: the account paused the watch, or the service paused it because the plan permits fewer watches or does not include the call; DISABLED: the service disabled the watch because it cannot be evaluated",
  }),
  stateReason: optional(Type.String({ description: "Reason why the service disabled or paused the watch" })),
  evaluatedPosition: Type.Integer({
    minimum: 0,
    description: "Position in the log of datasets up to which the watch was evaluated",
  }),
  isBehind: Type.Boolean({ description: "True while there may be changes that the watch has not evaluated yet" }),
  quietUntil: optional(Instant("End of the quiet period, or time from which a new watch is evaluated")),
  firingCount: Type.Integer({ minimum: 0, description: "Number of firings since the watch was created" }),
  lastFiredAt: optional(Instant("Time of the last firing")),
  failuresInRow: Type.Integer({ minimum: 0, description: "Number of failed evaluations since the last success" }),
  lastError: optional(Type.String({ description: "Reason why the last evaluation failed" })),
  collidingIdentities: optional(
    Type.Integer({
      minimum: 1,
      description: "Number of rows of the last answer that have the same identity as an earlier row of that answer",
    }),
  ),
  createdAt: Instant("Time of creation"),
  updatedAt: Instant("Time of the last change of the definition or the state"),
};

export const Watch = Type.Object(
  {
    ...linklessMembers,
    feedPath: Type.String({
      description:
        "Path of the watch's feed, which anyone who knows the path can read; add `&format=jsonfeed` for JSON Feed",
    }),
  },
  { title: "Watch", description: "A condition on the answers to a call." },
);
export type Watch = Static<typeof Watch>;

/**
 * A watch in an answer that may be stored for repeats. It lacks the link to the feed, because whoever has the link can
 * read the feed.
 */
export const WrittenWatch = Type.Object(linklessMembers, {
  title: "WrittenWatch",
  description: "A watch as a write returns it; get-watch also returns the link to its feed.",
});
export type WrittenWatch = Static<typeof WrittenWatch>;

export function writtenWatch({ feedPath: _, ...watch }: Watch): WrittenWatch {
  return watch;
}
