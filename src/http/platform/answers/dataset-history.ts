import { type Static, Type } from "typebox";
import { epochMs } from "../../../contract/field.js";
import type { Immutable } from "../../../contract/write.js";
import { Ingredient, instantOrNull, orNull, recordCounts, simulatedLabel, upstreamAnswerMembers } from "./members.js";

/* The answer of /api/datasets/history. Instants are in epoch ms. */

const DayOfAvailability = Type.Object(
  {
    date: Type.String({ description: "UTC day, YYYY-MM-DD" }),
    availableRatio: Type.Number({
      description:
        "Share of the day, 0 to 1, during which the last confirmation of the content was at most `staleAfterSeconds` old",
    }),
    unknownRatio: Type.Number({ description: "Share of the day, 0 to 1, about which nothing is known" }),
    runs: Type.Integer({ minimum: 0, description: "Runs of the day, without those that were removed" }),
    failures: Type.Integer({ minimum: 0, description: "Kept runs that neither published nor confirmed anything" }),
    isThinned: Type.Boolean({ description: "True if runs of the day were removed; the counts then exclude them" }),
  },
  { title: "DayOfAvailability", description: "The availability of a dataset on a day; on the current day, until now." },
);

const ChangedRowCounts = Type.Object(
  {
    added: Type.Integer({ minimum: 0, description: "Added rows" }),
    changed: Type.Integer({ minimum: 0, description: "Changed rows" }),
    removed: Type.Integer({ minimum: 0, description: "Removed rows" }),
  },
  { title: "ChangedRowCounts", description: "Rows that differ from the previous generation." },
);

const HistoryProvenance = Type.Object(
  { part: Type.String({ description: "Name of the part" }), ...upstreamAnswerMembers },
  { title: "HistoryProvenance", description: "The upstream answer behind some records of a part." },
);

const GenerationEntry = Type.Object(
  {
    kind: Type.Literal("generation", { description: "A kept generation" }),
    at: epochMs("Time at which the generation was published"),
    generation: Type.Integer({ minimum: 1, description: "Number of the generation" }),
    builtAt: epochMs("Time at which the generation was published"),
    newestAt: instantOrNull("Newest observation in the generation, null if its records have no time"),
    contentHash: Type.String({ description: "SHA-256 of the content of the generation, hex" }),
    bodyBytes: Type.Integer({ minimum: 0, description: "Stored size, compressed" }),
    records: recordCounts,
    changes: orNull(
      Type.Record(Type.String(), ChangedRowCounts),
      "For each part, the numbers of rows that differ from the previous generation; null for the first generation, and if the numbers are unknown",
    ),
    ingredients: Type.Optional(
      Type.Array(Ingredient, { description: "For a product: the generations that it was built from" }),
    ),
    provenanceCount: Type.Optional(
      Type.Integer({ minimum: 0, description: "Number of upstream answers behind the records; absent for a product" }),
    ),
    provenance: Type.Optional(
      Type.Array(HistoryProvenance, {
        description:
          "The upstream answers behind the records, at most 2,000 divided by `page_size`. Absent for a product",
      }),
    ),
  },
  { title: "GenerationEntry", description: "A kept generation of a dataset." },
);

const FailedRunEntry = Type.Object(
  {
    kind: Type.Literal("failed-run", { description: "A kept run that neither published nor confirmed anything" }),
    at: epochMs("End of the run"),
    run: Type.Integer({ minimum: 1, description: "Number of the run" }),
    outcome: Type.String({ description: "`failed`, or `unconfigured` if a setting was missing" }),
    error: orNull(Type.String(), "Reason in words, null if it is unknown"),
    generation: orNull(Type.Integer({ minimum: 1 }), "Generation that was served meanwhile, null for none"),
  },
  { title: "FailedRunEntry", description: "A run of a dataset that neither published nor confirmed anything." },
);

export const historyEntry = Type.Union([GenerationEntry, FailedRunEntry]);
export type HistoryEntry = Immutable<Static<typeof historyEntry>>;

export const DatasetHistoryPage = Type.Object(
  {
    name: Type.String({ description: "Name of the dataset" }),
    from: epochMs("Start of the range"),
    to: epochMs("End of the range, included"),
    identity: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "The members that identify a row in every generation, by part; empty for a part with one row",
    }),
    availability: Type.Optional(
      Type.Object(
        {
          staleAfterSeconds: Type.Number({
            description: "Age of the last confirmation beyond which the dataset is stale",
          }),
          days: Type.Array(DayOfAvailability, { description: "Every day of the range, oldest first" }),
        },
        { description: "Availability by UTC day; absent on further pages" },
      ),
    ),
    entries: Type.Array(historyEntry, { description: "Generations and failed runs, newest first" }),
    pagination: Type.Object(
      { nextCursor: Type.String({ description: "Cursor of the next page; empty on the last one" }) },
      { description: "The next page of the list" },
    ),
    simulated: simulatedLabel,
  },
  { title: "DatasetHistoryPage", description: "A page of the history of a dataset." },
);
export type DatasetHistoryPage = Immutable<Static<typeof DatasetHistoryPage>>;
