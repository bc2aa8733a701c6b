import { Type } from "typebox";
import { read } from "../reading.js";
import { adviceFor, readNamed, targetOf } from "../target.js";
import { argumentsOf, budgetMembers, callMembers, ToolFailure, tool } from "../tool.js";

const LOG_PATH = "/api/datasets/v1/list-dataset-changes";

export const changes = tool({
  name: "changes",
  description:
    "Lists changes. With operation: added, changed and removed rows of its list since a generation (`earthquakes=5`); delta.to is the next `since`. Without operation: datasets whose generation or state changed after the cursor `since` (default: the log's end); nextCursor is the next `since`.",
  input: argumentsOf({
    since: Type.Optional(Type.String({ maxLength: 2_000 })),
    operation: Type.Optional(callMembers.operation),
    params: callMembers.params,
    jmespath: callMembers.jmespath,
    ...budgetMembers,
  }),
  isReadOnly: true,
  run({ since, operation, params, ...input }, { call, catalogue }) {
    if (operation === undefined) {
      const entry = readNamed(catalogue, LOG_PATH);
      const cursor = since === undefined ? {} : { cursor: since };
      const target = targetOf(entry, { ...input, operation: LOG_PATH, params: { ...params, ...cursor } }, catalogue);
      return read(call, { target, advice: adviceFor(entry) }, input);
    }
    if (since === undefined)
      throw new ToolFailure("`since` must be the generation of an earlier answer of the operation");
    const entry = readNamed(catalogue, operation);
    const since_generation = since;
    const target = targetOf(entry, { ...input, operation, params: { ...params, since_generation } }, catalogue);
    return read(call, { target, publishers: entry.publishers, advice: adviceFor(entry) }, input);
  },
});
