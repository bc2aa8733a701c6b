import { expect, test } from "vitest";
import { type Fault, faultBook } from "./faults.js";

const down: Fault = { kind: "down" };
const html: Fault = { kind: "html" };
const target = { upstream: "fred", host: "fred.stlouisfed.org", pathAndQuery: "/graph/fredgraph.csv?id=CPIAUCSL" };

test.each(["fred", "fred.stlouisfed.org", "*"])("a fault for %s applies to a request to FRED", (upstream) => {
  const book = faultBook();
  book.set({ upstream }, down);
  expect(book.take(target)).toEqual(down);
});

test("a fault for another upstream or another path does not apply", () => {
  const book = faultBook();
  book.set({ upstream: "treasury" }, down);
  book.set({ upstream: "fred", match: "id=CPILFESL" }, down);
  expect(book.take(target)).toBeUndefined();
});

test("the newest matching fault applies, and after it is cleared, the next newest one applies", () => {
  const book = faultBook();
  book.set({ upstream: "*" }, down);
  book.set({ upstream: "fred", match: "CPIAUCSL" }, html);
  expect(book.take(target)).toEqual(html);
  book.clear({ upstream: "fred", match: "CPIAUCSL" });
  expect(book.take(target)).toEqual(down);
});

test("setting the same selector again replaces its fault", () => {
  const book = faultBook();
  book.set({ upstream: "fred" }, down);
  book.set({ upstream: "fred" }, html, 3);
  expect(book.list()).toEqual([{ upstream: "fred", fault: html, times: 3 }]);
});

test("a fault with `times` ends after that many matching requests", () => {
  const book = faultBook();
  book.set({ upstream: "fred" }, down, 2);
  expect(book.take({ ...target, upstream: "treasury", host: "home.treasury.gov" })).toBeUndefined();
  expect([book.take(target), book.take(target), book.take(target)]).toEqual([down, down, undefined]);
  expect(book.list()).toEqual([]);
});

test("`clear` without a selector ends all faults", () => {
  const book = faultBook();
  book.set({ upstream: "fred" }, down);
  book.set({ upstream: "*" }, down);
  book.clear();
  expect(book.list()).toEqual([]);
});

test("the newest hundred faults are kept", () => {
  const book = faultBook();
  for (let index = 0; index < 150; index++) book.set({ upstream: "fred", match: String(index) }, down);
  expect(book.list().length).toBe(100);
  expect(book.list()[0]?.match).toBe("149");
});
