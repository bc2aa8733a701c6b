import { expect, test } from "vitest";
import { SECOND_MS } from "../kit/clock.js";
import { loadServices } from "../services/registry.js";
import { waitMsMax } from "./answer-time.js";
import { settingReader } from "./setting.js";

test.each([
  ["get-us-cpi-monthly", 0],
  ["list-feed-digest", 14 * SECOND_MS],
  ["search-flight-prices", 10 * SECOND_MS],
  ["list-airport-flights", 9 * SECOND_MS],
])("%s waits at most %i ms for its inputs", async (rpc, waitMs) => {
  const { operations } = await loadServices();
  const registered = operations.find(({ operation }) => operation.rpc === rpc);
  expect(registered && waitMsMax(registered.operation, settingReader({}))).toBe(waitMs);
});

test("a setting determines how long a brief waits for its model", async () => {
  const { operations } = await loadServices();
  const brief = operations.find(({ operation }) => operation.rpc === "get-country-intel-brief");
  const patient = settingReader({ VIGIL_MODEL_TIMEOUT_MS: "90000" });
  expect(brief && waitMsMax(brief.operation, patient)).toBeGreaterThanOrEqual(90_000);
});
