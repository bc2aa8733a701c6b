import { type Static, type TInteger, type TNull, type TObject, type TSchema, type TUnion, Type } from "typebox";
import type { Immutable } from "../../../contract/write.js";

/** An instant, epoch ms; null if there is none. */
export function instantOrNull(description: string): TUnion<[TInteger, TNull]> {
  return orNull(Type.Integer({ format: "int64" }), `${description}; epoch ms`);
}

/** A value, or null; the description says what null means. */
export function orNull<T extends TSchema>(schema: T, description: string): TUnion<[T, TNull]> {
  return Type.Union([schema, Type.Null()], { description });
}

/** Number of records by part. */
export const recordCounts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
  description: "Number of records by part",
});

/** The label of a demo. */
export const simulatedLabel = Type.Optional(
  Type.Literal(true, { description: "Present on a demo, whose data is invented" }),
);

/**
 * The age of a part's newest observation. A part has these members only if it declares an age limit, or the reason why
 * it has no limit.
 */
export const partAgeMembers = {
  newestAt: Type.Optional(instantOrNull("Newest observation of the part, null if it has none")),
  newestAgeSeconds: Type.Optional(orNull(Type.Integer(), "Age of the newest observation, null if the part has none")),
  contentAgeMaxSeconds: Type.Optional(orNull(Type.Number(), "Age limit of the newest observation, null for no limit")),
  isOverAge: Type.Optional(Type.Boolean({ description: "True if the newest observation is older than the limit" })),
  agelessBecause: Type.Optional(Type.String({ description: "Reason why the part has no age limit" })),
};
export type PartAge = Immutable<Static<TObject<typeof partAgeMembers>>>;

/** The upstream answer from which some records come. */
export const upstreamAnswerMembers = {
  request: Type.String({ description: "Name of the request within its run" }),
  source: Type.String({ description: "Id of the source" }),
  url: Type.String({ description: "Address of the request, without secrets" }),
  status: Type.Integer({ description: "HTTP status of the answer" }),
  bytes: Type.Integer({ description: "Size of the body" }),
  sha256: Type.String({ description: "SHA-256 of the body, hex" }),
  fetchedAt: Type.Integer({ format: "int64", description: "Time of the request; epoch ms" }),
  newestAt: instantOrNull("Newest observation in the answer, null if its rows have no time"),
  rowsRead: Type.Integer({ description: "Rows that were read" }),
  rowsBad: Type.Integer({ description: "Rows that were skipped because they were invalid" }),
};

export const Ingredient = Type.Object(
  {
    dataset: Type.String({ description: "Name of the dataset" }),
    generation: Type.Integer({ minimum: 1, description: "Number of the generation" }),
    contentHash: Type.String({ description: "SHA-256 of the content of the generation, hex" }),
  },
  { title: "Ingredient", description: "The generation of a dataset that a product was built from." },
);
