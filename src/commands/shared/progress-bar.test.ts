import { expect, test } from "vitest";
import { progressBar } from "./progress-bar.js";

function drawn(isTTY: boolean, env: Readonly<Record<string, string>>, counts: readonly number[]) {
  const written: string[] = [];
  const bar = progressBar("generations", { isTTY, write: (text: string) => written.push(text) }, env);
  for (const count of counts) bar.show(count, 200);
  bar.end();
  return written;
}

test("the bar grows in one line of a terminal and is removed at the end", () => {
  expect(drawn(true, { NO_COLOR: "1" }, [99, 100, 101, 200])).toEqual([
    `\r\x1b[K${"█".repeat(14)}${"░".repeat(16)} 49 % of 200 generations`,
    `\r\x1b[K${"█".repeat(15)}${"░".repeat(15)} 50 % of 200 generations`,
    `\r\x1b[K${"█".repeat(30)} 100 % of 200 generations`,
    "\r\x1b[K",
  ]);
});

test("the bar has a colour unless NO_COLOR is set", () => {
  expect(drawn(true, {}, [200]).join("")).toContain("\x1b[32m");
  expect(drawn(true, { NO_COLOR: "1" }, [200]).join("")).not.toContain("\x1b[32m");
});

test.each([
  [false, {}],
  [true, { CI: "true" }],
  [true, { TERM: "dumb" }],
])("nothing is drawn with isTTY %s and the environment %j", (isTTY, env) => {
  expect(drawn(isTTY, env, [1, 200])).toEqual([]);
});
