import { expect, test } from "vitest";
import { weightsOf } from "./weights.js";

test.each([
  { header: "", weights: {} },
  { header: "gzip", weights: { gzip: 1 } },
  { header: "GZIP;Q=0.5, Br", weights: { gzip: 0.5, br: 1 } },
  { header: "br ; q=0.25 ,, gzip;level=9;q=1.000", weights: { br: 0.25, gzip: 1 } },
  { header: "br;q=0, *;q=0.", weights: { br: 0, "*": 0 } },
  { header: "br;q=nonsense, gzip;q=2, zstd;q=-1, deflate;q=", weights: { br: 0, gzip: 0, zstd: 0, deflate: 0 } },
  { header: "gzip;q=0.2, gzip;q=0.7, gzip;q=0.1", weights: { gzip: 0.7 } },
  {
    header: "application/Problem+JSON;charset=utf-8;q=0.9, */*",
    weights: { "application/problem+json": 0.9, "*/*": 1 },
  },
])("the weights in '$header' are keyed by lower-case name", ({ header, weights }) => {
  expect(Object.fromEntries(weightsOf(header))).toEqual(weights);
});
