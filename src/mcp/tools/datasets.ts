import { Type } from "typebox";
import { LARGER_BUDGET } from "../delivered.js";
import { read } from "../reading.js";
import { argumentsOf, budgetMembers, tool } from "../tool.js";

const STATES_PATH = "/api/datasets/v1/list-dataset-states";
const STATES = ["ok", "partial", "stale", "absent", "unreadable"];

export const datasets = tool({
  name: "datasets",
  description:
    "Health of the data. With name: the card of a dataset (sources, licence, cadence, gaps, errors, age). Without name: state and generation of all datasets, or only of those in state `state`.",
  input: argumentsOf({
    name: Type.Optional(Type.String({ maxLength: 100 })),
    state: Type.Optional(Type.Enum(STATES)),
    ...budgetMembers,
  }),
  isReadOnly: true,
  run({ name, state, ...budget }, { call }) {
    if (name !== undefined) {
      const target = `/api/datasets?${new URLSearchParams({ name })}`;
      return read(call, { target, without: "provenance", advice: LARGER_BUDGET }, budget);
    }
    const only = state === undefined ? "" : `[?state=='${state}']`;
    const jmespath = `{pollCursor: pollCursor, datasets: datasets${only || "[]"}.[dataset, state, generation]}`;
    const target = `${STATES_PATH}?${new URLSearchParams({ jmespath })}`;
    return read(call, { target, advice: "set state or name" }, budget);
  },
});
