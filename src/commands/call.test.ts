import { expect, test } from "vitest";
import { addCall } from "./call.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addCall(root, called("call")), ["call", ...words]);

test("vigil call refuses --table together with --all", async () => {
  expect(await parse(["list-earthquakes", "--all", "--table"])).toContain(
    "option '--table' cannot be used with option '--all'",
  );
});

test("the help of vigil call says that a table cuts its cells and JSON does not", async () => {
  expect(String(await parse(["--help"])).replace(/\s+/g, " ")).toContain(
    "cells are cut after 60 characters; the default is JSON, which is not cut",
  );
});
