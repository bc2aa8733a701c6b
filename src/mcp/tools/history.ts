import { Type } from "typebox";
import { read } from "../reading.js";
import { argumentsOf, budgetMembers, tool } from "../tool.js";

export const history = tool({
  name: "history",
  description:
    "Lists a dataset's generations with their changes, and its failed runs, newest first. `from` and `to` are ISO 8601; default: last 30 days.",
  input: argumentsOf({
    dataset: Type.String({ maxLength: 100 }),
    from: Type.Optional(Type.String({ maxLength: 40 })),
    to: Type.Optional(Type.String({ maxLength: 40 })),
    cursor: Type.Optional(Type.String({ maxLength: 2_000, description: "pagination.nextCursor" })),
    ...budgetMembers,
  }),
  isReadOnly: true,
  run({ dataset, from, to, cursor, ...budget }, { call }) {
    const search = new URLSearchParams({ name: dataset });
    for (const [name, value] of Object.entries({ from, to, cursor })) if (value) search.set(name, value);
    const target = `/api/datasets/history?${search}`;
    return read(call, { target, without: "provenance", advice: "set from and to" }, budget);
  },
});
