import { expect, test } from "vitest";
import { cursorAfter, deliveryBefore } from "./delivery-cursor.js";

const filters = { endpointId: "whe_1", states: ["dead"] };
const DELIVERY = "msg_01KB2ZT2M00123456789ABCDEF";
const cursor = cursorAfter(DELIVERY, filters);

test("a cursor yields the delivery before its page", () => {
  expect(cursor).toMatch(/^whc1\.[0-9a-f]{16}\.msg_[0-9A-Z]{26}$/);
  expect(deliveryBefore(cursor, filters)).toBe(DELIVERY);
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
  ["an empty delivery id", cursorAfter("", filters)],
  ["an id that is not of a delivery", cursorAfter("whe_01KB2ZT2M00123456789ABCDEF", filters)],
  ["the character U+0000", cursorAfter("msg_\u0000", filters)],
  ["no characters", ""],
])("a cursor with %s yields nothing", (_name, text) => {
  expect(deliveryBefore(text, filters)).toBeUndefined();
});
