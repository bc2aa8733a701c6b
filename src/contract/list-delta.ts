import { type Static, Type } from "typebox";

const changeKinds = ["added", "changed", "removed"] as const;

export const RowChange = Type.Object(
  {
    kind: Type.Enum([...changeKinds], {
      description: "`changed`: the content of the row or its position among the other rows differs",
    }),
    id: Type.String({
      description: "Identity of the row in its list; the second row with the same identity has `<id>#2`",
    }),
    index: Type.Optional(
      Type.Integer({
        format: "int32",
        description: "Position of the row in the whole list after the changes; absent for a removed row",
      }),
    ),
  },
  { title: "RowChange" },
);
export type RowChange = Static<typeof RowChange>;

const count = (description: string) => Type.Integer({ format: "int32", description });

/** The changes that `since_generation` adds to an answer. */
export const ListDelta = Type.Object(
  {
    since: Type.String({ description: "Generations before the changes, as in `X-Vigil-Generation`" }),
    to: Type.String({ description: "Generations after the changes: the next `since_generation`" }),
    rowCount: count("Number of rows in the whole list after the changes"),
    addedCount: count("Added rows on all pages"),
    changedCount: count("Changed rows on all pages"),
    removedCount: count("Removed rows on all pages"),
    changes: Type.Array(RowChange, {
      description: "The changes on this page: one for each of its rows, in the same order, then the removed rows",
    }),
  },
  {
    title: "ListDelta",
    description:
      "The changes of the list since the generations in `since_generation`. Absent without this parameter, and while a dataset has no data",
  },
);
export type ListDelta = Static<typeof ListDelta>;
