import { type Static, type TSchema, Type } from "typebox";
import { definitionMembers, WatchId } from "./records.js";

/** The served watches. Instants are ISO 8601 in UTC. Unknown members are absent. */

export const watchStates = ["WATCH_STATE_ACTIVE", "WATCH_STATE_PAUSED", "WATCH_STATE_DISABLED"] as const;
export type WatchState = (typeof watchStates)[number];

const Instant = (description: string) => Type.String({ format: "date-time", description: `${description}, ISO 8601` });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

export const Watch = Type.Object(
  {
    watchId: WatchId,
    ...definitionMembers,
    datasets: Type.Array(Type.String(), { description: "The datasets that the call reads" }),
    state: Type.Enum([...watchStates], { description: "DISABLED watches were switched off by the service" }),
    stateReason: optional(Type.String({ description: "Why the service disabled the watch" })),
    evaluatedPosition: Type.Integer({
      minimum: 0,
      description: "Position of the log of datasets up to which it was evaluated",
    }),
    isBehind: Type.Boolean({ description: "True while changes wait to be evaluated" }),
    quietUntil: optional(Instant("End of its quiet period")),
    firingCount: Type.Integer({ minimum: 0, description: "Firings since its creation" }),
    lastFiredAt: optional(Instant("Time of its last firing")),
    failuresInRow: Type.Integer({ minimum: 0, description: "Failed evaluations since the last success" }),
    lastError: optional(Type.String({ description: "Why the last evaluation failed" })),
    collidingIdentities: optional(
      Type.Integer({ minimum: 1, description: "Rows of the last answer whose identity another row has, too" }),
    ),
    createdAt: Instant("When the watch was created"),
    updatedAt: Instant("When the definition or the state last changed"),
  },
  { title: "Watch", description: "A condition on the answers to a call." },
);
export type Watch = Static<typeof Watch>;
