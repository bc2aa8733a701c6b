import { Type } from "typebox";
import { usage } from "../../../contract/access/accounts.js";
import { accountRead } from "../../../contract/account-read.js";

const LimitUse = Type.Object({
  name: Type.String({ description: "Name of the limit" }),
  limit: Type.Integer({ description: "Calls that the limit allows" }),
  windowSeconds: Type.Integer({ description: "Length of the limit's window, seconds" }),
  used: Type.Integer({ description: "Calls counted in the window" }),
  remaining: Type.Integer({ description: "Remaining calls" }),
  resetAt: Type.Integer({
    description: "Time at which `remaining` increases next, epoch ms; the current time if no call is counted",
  }),
});

export const getUsage = accountRead({
  rpc: "get-usage",
  summary: "The caller's limits and daily quotas",
  description:
    "The limits and daily quotas of the caller, each with its remaining calls. A call of this operation does not count against them.",
  access: { scope: "read" },
  uses: { usage },
  query: {},
  response: Type.Object(
    {
      limits: Type.Array(LimitUse, { description: "Limits of the caller" }),
      quotas: Type.Array(LimitUse, { description: "Daily quotas of the caller" }),
    },
    { title: "GetUsageResponse" },
  ),
  examples: [{}],
  async run(_query, { ports }) {
    return { limits: [...(await ports.usage.limits())], quotas: [...(await ports.usage.quotas())] };
  },
});
