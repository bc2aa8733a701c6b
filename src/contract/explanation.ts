import { Type } from "typebox";
import { epochMs } from "./field.js";
import type { AnyOperation } from "./operation.js";
import { flag } from "./query-field.js";
import { lacksChanges } from "./since-generation.js";

/** `explain`: an additional parameter of lists. */
export const explainField = flag(
  "Adds `explain`: which rows were left out, by which filter or rule, and which sources contributed",
);

/** The message for an operation that has no explanation. */
export const onlyListsAreExplained = "is not available here: only lists that are answered from snapshots are explained";

/** The reason why an operation has no explanation; undefined if it takes `explain`. */
export function lacksExplanation(operation: AnyOperation): string | undefined {
  return lacksChanges(operation) === undefined ? undefined : onlyListsAreExplained;
}

const count = (description: string) => Type.Integer({ format: "int32", minimum: 0, description });
const parameterName = Type.String({ description: "The parameter, or the setting of the operator" });

const ExplainedSource = Type.Object(
  {
    part: Type.String({ description: "The part of the dataset that reads this source" }),
    source: Type.String({
      description: "Id of the source; for a list of a product, which has no sources, the name of the list",
    }),
    spoke: Type.Boolean({
      description:
        "True if this generation was built from answers of the source; for a list of a product, true if the list was built or kept",
    }),
    requests: count("Number of the source's answers that this generation was built from"),
    fetchedAt: Type.Optional(epochMs("Time of its newest answer")),
    rows: count("Number of rows in its answers"),
    state: Type.Optional(
      Type.Enum(["fresh", "kept", "missing", "off"], {
        description: "State of the part; absent if only the content of the generation is known",
      }),
    ),
    reason: Type.Optional(
      Type.String({ description: "Reason why the source contributed no rows, or was not read in the newest run" }),
    ),
  },
  { title: "ExplainedSource", description: "A source of a dataset, and its share in the generation." },
);

const partName = Type.Optional(
  Type.String({ description: "The part of the dataset; absent if the rule applies to the whole dataset" }),
);
const rule = Type.String({ description: "The rule, such as `bad row` or `older than seven days`" });

const LeftOutByRule = Type.Object(
  {
    part: partName,
    rule,
    count: count("Number of rows"),
    example: Type.String({ description: "The identity of one of these rows" }),
  },
  { title: "LeftOutByRule", description: "Rows that a rule of a dataset left out." },
);

const CountedByRule = Type.Object(
  { part: partName, rule, count: count("Number of rows") },
  { title: "CountedByRule", description: "Number of rows that were merged or made by a rule of the dataset." },
);

const accountLists = {
  leftOut: Type.Array(LeftOutByRule, { description: "Rows that were left out" }),
  joined: Type.Array(CountedByRule, { description: "Rows that were merged into other rows or into a sum" }),
  made: Type.Array(CountedByRule, { description: "Rows that were made without a corresponding row of an upstream" }),
};

const ExplainedDataset = Type.Object(
  {
    name: Type.String({ description: "Name of the dataset" }),
    state: Type.String({ description: "Its state, as in `X-Vigil-State`" }),
    reason: Type.Optional(Type.String({ description: "The reason for a state other than `ok`" })),
    generation: Type.Optional(Type.Integer({ format: "int32", description: "The generation; absent without data" })),
    builtAt: Type.Optional(epochMs("Time of the build")),
    builtFrom: Type.Optional(
      Type.Array(Type.String(), { description: "The datasets that a product was built from, with their generations" }),
    ),
    sources: Type.Array(ExplainedSource, { description: "Every source of every part" }),
    build: Type.Optional(
      Type.Object(
        {
          earlier: count("Stored rows of earlier runs that this run considered again"),
          read: count("Rows in the answers of the upstreams, or in the datasets that a product is built from"),
          ...accountLists,
          stored: count("Rows that are stored"),
        },
        {
          description:
            "Balance of the stored rows: `earlier` + `read` + made = left out + joined + `stored`. Absent if the version that built the generation did not record it",
        },
      ),
    ),
    lists: Type.Optional(
      Type.Object(accountLists, {
        description: "Balance from stored to listed rows: stored + made = left out + joined + rows in the snapshot",
      }),
    ),
  },
  { title: "ExplainedDataset", description: "A dataset behind the answer." },
);

/** The member that `explain=true` adds to an answer. */
export const Explanation = Type.Object(
  {
    filters: Type.Array(
      Type.Object({
        name: parameterName,
        value: Type.Optional(Type.String({ description: "The parsed value" })),
        leftOut: count(
          "Number of rows that the filter left out; a row counts for the first filter that it does not pass",
        ),
        example: Type.Optional(Type.String({ description: "The identity of one of these rows" })),
      }),
      { description: "The filters and limits that were applied" },
    ),
    ignored: Type.Array(
      Type.Object({
        name: Type.String({ description: "The parameter as it was sent" }),
        value: Type.String({ description: "The beginning of its value" }),
        reason: Type.String({
          description: "`accepted and ignored`, `unknown parameter` or `further unknown parameters`",
        }),
      }),
      { description: "Parameters that were sent and have no effect" },
    ),
    defaults: Type.Array(
      Type.Object({
        name: parameterName,
        value: Type.String({ description: "The default" }),
      }),
      { description: "Defaults of parameters that were not sent" },
    ),
    rows: Type.Object(
      {
        inSnapshot: count("Rows that the filters choose from"),
        leftOut: count("Rows that filters and limits left out"),
        inList: count("Rows on all pages"),
      },
      { description: "`inSnapshot` = `leftOut` + `inList`" },
    ),
    datasets: Type.Array(ExplainedDataset, { description: "The datasets of the answer" }),
  },
  { title: "Explanation", description: "The origin of an answer, added by `explain=true`." },
);
