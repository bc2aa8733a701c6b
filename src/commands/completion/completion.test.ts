import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { program } from "../program.js";
import { bashScript } from "./bash-script.js";
import { commandTree } from "./command-tree.js";
import { fishScript } from "./fish-script.js";
import { zshScript } from "./zsh-script.js";

const nodes = commandTree(program({ groups: [], streams: [] }, "1.2.3"), { dataset: ["us-cpi", "us-yields"] });
const nodeOf = (words: string) => nodes.find((node) => node.words.join(" ") === words);

test("the command tree has subcommands, options and argument values", () => {
  expect(nodeOf("")?.subcommands.map(({ name }) => name)).toContain("serve");
  expect(nodeOf("keys")?.subcommands.map(({ name }) => name)).toContain("create");
  expect(nodeOf("call")?.values).toContain("list-earthquakes");
  expect(nodeOf("call")?.options.map(({ name }) => name)).toContain("--jmespath");
  expect(nodeOf("history")?.values).toEqual(["us-cpi", "us-yields"]);
  expect(nodeOf("completion")?.values).toEqual(["bash", "zsh", "fish"]);
});

/** The completions that bash offers for these words, the last of which is incomplete. */
function offeredByBash(...words: readonly string[]): readonly string[] {
  const file = join(mkdtempSync(join(tmpdir(), "vigil-completion-")), "vigil.bash");
  writeFileSync(file, bashScript(nodes));
  const line = ["vigil", ...words].map((word) => `'${word}'`).join(" ");
  const script = `. ${file}; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _vigil; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter((word) => word !== "");
}

test.each([
  [["ser"], ["serve"]],
  [["keys", "cr"], ["create"]],
  [["call", "list-earth"], ["list-earthquakes"]],
  [["call", "--demo", "get-us-c"], ["get-us-cpi-monthly"]],
  [["call", "list-earthquakes", "--jm"], ["--jmespath"]],
  [
    ["history", "us-"],
    ["us-cpi", "us-yields"],
  ],
  [["nothing-like-it"], []],
])("for the words %j, bash offers %j", (words, offered) => {
  expect(offeredByBash(...words)).toEqual(offered);
});

describe.each([
  ["bash", bashScript],
  ["zsh", zshScript],
  ["fish", fishScript],
])("%s", (shell, script) => {
  const isInstalled = spawnSync(shell, ["--version"]).error === undefined;

  test.skipIf(!isInstalled)(`${shell} accepts its script (skipped if ${shell} is not installed)`, () => {
    const file = join(mkdtempSync(join(tmpdir(), "vigil-completion-")), "vigil");
    writeFileSync(file, script(nodes));
    const { status, stderr } = spawnSync(shell, ["-n", file], { encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
  });
});
