import { expect, test } from "vitest";
import { faultOrderFrom } from "./fault-order.js";

test.each([
  { kind: "status", code: 503, retryAfter: 30 },
  { kind: "status", code: 429, retryAfter: "Wed, 21 Oct 2026 07:28:00 GMT" },
  { kind: "status", code: 500 },
  { kind: "delay", ms: 5_000 },
  { kind: "redirect", to: "https://b.example/feed" },
  { kind: "hang" },
  { kind: "cut", afterRatio: 0.5 },
  { kind: "cut", afterRatio: 0, framing: "chunked" },
  { kind: "down" },
  { kind: "html" },
  { kind: "blank" },
  { kind: "changed" },
  { kind: "empty" },
  { kind: "bad-row" },
])("a fault of kind $kind is parsed as written", (fault) => {
  const order = { upstream: "fred", match: "id=", fault, times: 2 };
  expect(faultOrderFrom(order)).toEqual(order);
  expect(faultOrderFrom({ upstream: "*", fault })).toEqual({ upstream: "*", fault });
});

test.each([
  [[], "the body must be an object"],
  [{ fault: { kind: "down" } }, '"upstream"'],
  [{ upstream: "fred", match: 1, fault: { kind: "down" } }, '"match"'],
  [{ upstream: "fred" }, '"fault" must be an object'],
  [{ upstream: "fred", fault: { kind: "melt" } }, 'no fault is called "melt"'],
  [{ upstream: "fred", fault: { kind: "status", code: 99 } }, '"code" must be a whole number from 200 to 599'],
  [{ upstream: "fred", fault: { kind: "status", code: 503, retryAfter: "a\nb" } }, '"retryAfter"'],
  [{ upstream: "fred", fault: { kind: "delay" } }, '"ms"'],
  [{ upstream: "fred", fault: { kind: "redirect", to: "/feed" } }, '"to" must be'],
  [{ upstream: "fred", fault: { kind: "cut", afterRatio: 2 } }, '"afterRatio"'],
  [{ upstream: "fred", fault: { kind: "cut", afterRatio: 0.5, framing: "x" } }, '"framing"'],
  [{ upstream: "fred", fault: { kind: "down" }, times: 0 }, '"times"'],
])("the fault order %j is refused with a reason", (value, reason) => {
  expect(() => faultOrderFrom(value)).toThrow(reason);
});
