import { read } from "../reading.js";
import { adviceFor, readNamed, targetOf } from "../target.js";
import { argumentsOf, budgetMembers, callMembers, tool } from "../tool.js";

export const call = tool({
  name: "call",
  description:
    "Calls a GET operation. jmespath selects what you need (functions as in the standard); params may have as_of (an earlier instant), since_generation, format=csv.",
  input: argumentsOf({ ...callMembers, ...budgetMembers }),
  isReadOnly: true,
  run(input, { call, catalogue }) {
    const entry = readNamed(catalogue, input.operation);
    const target = targetOf(entry, input, catalogue);
    return read(call, { target, publishers: entry.publishers, advice: adviceFor(entry) }, input);
  },
});
