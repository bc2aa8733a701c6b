import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import { snapshotStates } from "../../../contract/snapshot.js";
import type { Immutable } from "../../../contract/write.js";
import { partState } from "./health.js";
import { Ingredient, instantOrNull, orNull, partAgeMembers, simulatedLabel, upstreamAnswerMembers } from "./members.js";

/* The answer of /api/datasets. Instants are in epoch ms. */

const CardSource = Type.Object(
  {
    id: Type.String({ description: "Id of the source" }),
    title: Type.String({ description: "Readable name" }),
    home: Type.String({ description: "Page of the publisher" }),
    seen: Type.Enum(["recorded", "described"], {
      description:
        "`recorded`: the decoder was run on a real answer of this upstream; `described`: it was written from the publisher's documentation alone",
    }),
    unseen: Type.Optional(Type.String({ description: "Behaviour that no real answer has shown yet" })),
    licence: Type.Object(
      {
        name: Type.String({ description: "Name of the licence" }),
        url: Type.Optional(Type.String({ description: "Address of the licence text" })),
        attribution: Type.Optional(Type.String({ description: "Notice to show with the data" })),
        open: Type.Boolean({ description: "False if the terms forbid commercial use or redistribution" }),
      },
      { description: "Terms of the publisher" },
    ),
    credentials: Type.Array(Type.String(), {
      description: "Names of the settings that hold the credentials of the source",
    }),
  },
  { title: "CardSource", description: "An upstream of a dataset." },
);

const CardProvenance = Type.Object(upstreamAnswerMembers, {
  title: "CardProvenance",
  description: "The upstream answer behind some records.",
});

const FieldsWithout = Type.Object(
  {
    source: Type.String({ description: "Id of the source" }),
    rows: Type.Integer({ description: "Rows of the newest run" }),
    shares: Type.Record(Type.String(), Type.Number(), {
      description: "By optional field: share of the rows that lack it, 0 to 1; fields that every row has are absent",
    }),
  },
  { title: "FieldsWithout", description: "Optional fields that rows of a source lack." },
);

const CardPart = Type.Object(
  {
    name: Type.String({ description: "Name of the part" }),
    state: partState,
    confirmedAt: instantOrNull("Time at which an upstream last confirmed the part's records, null for never"),
    error: orNull(Type.String(), "Error of the newest read in words, null if it succeeded"),
    records: Type.Integer({ minimum: 0, description: "Number of stored records" }),
    ...partAgeMembers,
    provenanceCount: Type.Integer({ minimum: 0, description: "Number of upstream answers behind the records" }),
    provenance: Type.Array(CardProvenance, {
      description: "The upstream answers behind the records; at most 20, unless a single dataset is requested",
    }),
    rowsWithout: Type.Optional(Type.Array(FieldsWithout, { description: "Optional fields that rows lack, by source" })),
    warnings: Type.Optional(
      Type.Array(Type.String(), { description: "Warnings about optional fields that suddenly lack values" }),
    ),
  },
  { title: "CardPart", description: "An independently read part of a dataset." },
);

const Trouble = Type.Object(
  {
    request: Type.String({ description: "Name of the request" }),
    state: Type.String({ description: "State of the request" }),
    since: epochMs("Start of the current series of failures"),
    error: orNull(Type.String(), "Reason in words, null if the answer was empty"),
  },
  { title: "Trouble", description: "A failing request of a collection with many requests." },
);

const DatasetCard = Type.Object(
  {
    name: Type.String({ description: "Name of the dataset" }),
    title: Type.String({ description: "Readable name" }),
    description: Type.String({ description: "Content of the dataset" }),
    operations: Type.Array(Type.String(), {
      description: "Paths of the operations that read it, directly or through products",
    }),
    cadenceSeconds: Type.Number({ description: "Usual time between two builds" }),
    staleAfterSeconds: Type.Number({ description: "Age of the last confirmation beyond which the dataset is stale" }),
    contentAgeMaxSeconds: orNull(
      Type.Number(),
      "Age limit of the newest observation, null if the dataset has no limit or its parts have different limits",
    ),
    gate: Type.String({ description: "Rule that a build must pass to be published" }),
    gaps: Type.Array(Type.String(), { description: "Known gaps and oddities of the data" }),
    reads: Type.Optional(
      Type.Array(Type.String(), { description: "For a product: the datasets that it is built from" }),
    ),
    sources: Type.Array(CardSource, { description: "Upstreams of the dataset" }),
    state: Type.Enum([...snapshotStates], { description: "State of the dataset, as in `/api/health`" }),
    stateReasons: Type.Array(Type.String(), { description: "Reasons why the state is not `ok`, one sentence each" }),
    generation: orNull(Type.Integer({ minimum: 1 }), "Served generation, null without data"),
    contentHash: orNull(Type.String(), "SHA-256 of the content of the generation, hex; null without data"),
    builtAt: instantOrNull("Time at which the generation was published, null without data"),
    checkedAt: instantOrNull("Time at which an upstream last confirmed the content, null without data"),
    newestAt: instantOrNull("Newest observation in the content, null if the records have no time"),
    error: orNull(Type.String(), "Error of the newest run in words, null if it succeeded"),
    troubles: Type.Optional(
      Type.Array(Trouble, { description: "For a collection with many requests: those that fail" }),
    ),
    ingredients: Type.Optional(
      Type.Array(Ingredient, { description: "For a product: the generations that it was built from" }),
    ),
    parts: Type.Array(CardPart, { description: "Parts in the order of their declaration" }),
  },
  {
    title: "DatasetCard",
    description: "A stored dataset: its content, its sources, and its required and current freshness.",
  },
);
export type DatasetCard = Immutable<Static<typeof DatasetCard>>;

export const DatasetCards = Type.Object(
  {
    datasets: Type.Array(DatasetCard, {
      description:
        "Every dataset that is built, or only the named one; empty if the named one is not built or does not exist",
    }),
    simulated: simulatedLabel,
  },
  { title: "DatasetCards", description: "The cards of datasets." },
);
