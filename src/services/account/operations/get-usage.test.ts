import { expect, test } from "vitest";
import { keyHolder } from "../../../../test/support/principals.js";
import type { LimitUse } from "../../../contract/access/accounts.js";
import { getUsage } from "./get-usage.js";

const use = (name: string): LimitUse => ({ name, limit: 60, windowSeconds: 60, used: 2, remaining: 58, resetAt: 1 });

test("get-usage serves the limits and the daily quotas of the caller", async () => {
  const usage = { limits: async () => [use("key")], quotas: async () => [use("brief")] };
  expect(await getUsage.run({}, { principal: keyHolder, ports: { usage } })).toEqual({
    limits: [use("key")],
    quotas: [use("brief")],
  });
});
