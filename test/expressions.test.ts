import { expect, test } from "vitest";
import { expressionsIn } from "../scripts/expressions-in.mjs";

test("the scan of regular expressions finds every literal with its flags", () => {
  const { literals } = expressionsIn('const a = /a+/giu;\nf([text.replace(/[/]b/, "/no/")], () => ({ c: [/c/] }));');
  expect(literals.toSorted((a, b) => (a.source < b.source ? -1 : 1))).toEqual([
    { source: "[/]b", flags: "" },
    { source: "a+", flags: "giu" },
    { source: "c", flags: "" },
  ]);
});

test("the scan of regular expressions finds every place that compiles one from a string", () => {
  const { sites } = expressionsIn("const a = new RegExp(b);\nfunction f() {\n  return RegExp(c) ?? new Other(d);\n}");
  expect(sites.toSorted()).toEqual(["1:11", "3:10"]);
});
