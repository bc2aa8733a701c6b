import { expect, test } from "vitest";
import { cursorAfter, deliveryBefore } from "./delivery-cursor.js";

const filters = { endpointId: "whe_1", states: ["dead"] };
const cursor = cursorAfter("whd_7", filters);

test("a cursor yields the delivery before its page", () => {
  expect(cursor).toMatch(/^whc1\.[0-9a-f]{16}\.whd_7$/);
  expect(deliveryBefore(cursor, filters)).toBe("whd_7");
});

test.each([{}, { endpointId: "whe_1" }, { ...filters, endpointId: "whe_2" }, { ...filters, states: ["delivered"] }])(
  "a cursor yields nothing in a list with other filters: %j",
  (others) => expect(deliveryBefore(cursor, others)).toBeUndefined(),
);

test.each([
  ["another prefix", cursor.replace("whc1", "whc2")],
  ["another digest", cursor.replace(/\.[0-9a-f]{16}\./, `.${"0".repeat(16)}.`)],
  ["an additional part", `${cursor}.more`],
  ["no delivery", "whc1"],
  ["no characters", ""],
])("a cursor with %s yields nothing", (_name, text) => {
  expect(deliveryBefore(text, filters)).toBeUndefined();
});
