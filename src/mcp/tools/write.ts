import { Type } from "typebox";
import { delivered } from "../delivered.js";
import { headOf, refused } from "../reading.js";
import { writeNamed } from "../target.js";
import { argumentsOf, budgetMembers, callMembers, tool } from "../tool.js";

export const write = tool({
  name: "write",
  description:
    "Calls a POST operation, such as creating a watch or testing one over the past. `describe` shows the body. Repeat a failed attempt with the same idempotency_key.",
  input: argumentsOf({
    operation: callMembers.operation,
    body: Type.Unsafe<object>({ type: "object" }),
    idempotency_key: Type.Optional(Type.String({ maxLength: 255 })),
    max_bytes: budgetMembers.max_bytes,
  }),
  isReadOnly: false,
  async run({ operation, body, idempotency_key, max_bytes }, { call, catalogue }) {
    const { path: target } = writeNamed(catalogue, operation);
    const own = { method: "POST", target, body: JSON.stringify(body), idempotencyKey: idempotency_key } as const;
    const answer = await call(own);
    if (answer.status >= 400) return refused(answer, target);
    const advice = "the operation is done; read its result with a GET operation";
    const delivery = {
      question: target,
      head: headOf(answer, target),
      text: answer.text,
      advice,
      isOnce: true,
    } as const;
    return delivered(delivery, max_bytes === undefined ? {} : { max_bytes });
  },
});
