import { expect, test } from "vitest";
import type { Exchange } from "../exchange.js";
import { forCaller } from "./operator-only.js";

const health = {
  status: "degraded",
  settings: [{ variable: "SOME_KEY", isSet: true }],
  datasets: [
    {
      name: "a",
      error: "unavailable: 10.0.0.3 refused",
      parts: [{ name: "p", error: null, passedOver: ["10.0.0.3"] }],
    },
    { name: "b", error: null, parts: [], troubles: [{ request: "x", error: "key refused" }] },
  ],
};

// The cast is safe, because `forCaller` uses only the principal of an exchange.
const of = (isOperator: boolean) => ({ principal: { isOperator } }) as unknown as Exchange;

test("the operator sees the settings and every error message", () => {
  expect(forCaller(health, of(true))).toEqual(health);
});

test("callers other than the operator see that a read failed, but not the reason or the settings", () => {
  const why = "the reason is shown only to the operator";
  expect(forCaller(health, of(false))).toEqual({
    status: "degraded",
    settings: [],
    datasets: [
      { name: "a", error: why, parts: [{ name: "p", error: null, passedOver: [why] }] },
      { name: "b", error: null, parts: [], troubles: [{ request: "x", error: why }] },
    ],
  });
});
