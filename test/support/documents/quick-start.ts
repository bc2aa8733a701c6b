import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { transformSync } from "rolldown/utils";
import { expect, vi } from "vitest";
import { freePort } from "../process.js";
import { blocksOf, type CodeBlock } from "./blocks.js";
import { typeErrorsIn } from "./programs.js";
import { type Shell, shellIn } from "./shell.js";

/** The blocks of docs/quick-start.md, which run against a demo. */
export interface QuickStart {
  /** The block that starts the demo. */
  readonly first: CodeBlock;
  /** The other blocks in their order. */
  readonly steps: readonly { readonly name: string; run(): Promise<void> }[];
  /** Starts the demo in a folder with these commands, and waits until it has the data that the page shows. */
  start(folder: string, commands: string): Promise<void>;
  close(): Promise<void>;
}

const READY_MS = 500_000;
/** Datasets that the page reads. */
const READ = ["us-cpi", "earthquakes"];

/** The output that a block must print in addition to succeeding. `code` is a string that identifies the block. */
const promised: readonly (readonly [code: string, output: string | RegExp])[] = [
  ["create-key", '"key":"vgl_demo_'],
  ["get-account", '"credential":"key"'],
  ['min_magnitude=6"\n', /^X-Vigil-State: ok/im],
  ["--etag-compare", "HTTP/1.1 304"],
  ["pollCursor", '"changes":'],
  ["create-watch", '"firings":'],
  ["vigil export", "cpi.csv"],
  ["urllib.request", /^\d+ \d+\.\d+/m],
  ["await fetch", /^\d\.?\d* \d+ km/m],
  ["llms.txt", "# Vigil"],
];

/** A file that a block must leave, with its content. `code` is a string that identifies the block. */
const files: readonly (readonly [code: string, name: string, content: RegExp])[] = [
  ["format=csv", "earthquakes.csv", /^id,place,magnitude,/],
  ["vigil export", "cpi.csv", /^part,month,/],
];

export function quickStart(): QuickStart {
  const [first, ...rest] = blocksOf("docs/quick-start.md");
  if (first === undefined) throw new Error("docs/quick-start.md has no blocks");
  let folder = "";
  let url = "";
  let terminals: readonly Shell[] = [];

  const local = (code: string): string => code.replaceAll("http://127.0.0.1:8787", url);

  async function run(block: CodeBlock): Promise<void> {
    const [, terminal] = terminals;
    if (terminal === undefined) throw new Error("the demo was not started");
    const { code, output } = await terminal.run(await commandsOf(block), block.until);
    if (block.until === undefined) expect(code, output).toBe(0);
    else expect(output).toContain(block.until);
    for (const [text, part] of promised) if (block.code.includes(text)) expect(output).toMatch(part);
    for (const [text, name, content] of files) {
      if (block.code.includes(text)) expect(readFileSync(join(folder, name), "utf8")).toMatch(content);
    }
  }

  /** Returns the commands that run a block. A block that is a program is first saved as a file. */
  async function commandsOf({ language, line, code }: CodeBlock): Promise<string> {
    if (language === "sh") return local(code);
    const name = `block-${line}`;
    if (language === "python") {
      await writeFile(join(folder, `${name}.py`), code);
      return `python3 ${name}.py`;
    }
    if (language !== "ts") throw new Error(`docs/quick-start.md:${line}: nothing runs ${language}`);
    expect(await typeErrorsIn(folder, code)).toBe("");
    await writeFile(join(folder, `${name}.mjs`), transformSync(`${name}.ts`, code).code);
    return `node ${name}.mjs`;
  }

  return {
    first,
    steps: rest.map((block) => ({ name: `line ${block.line}, ${block.language}`, run: () => run(block) })),
    async start(into, commands) {
      const port = await freePort();
      folder = into;
      url = `http://127.0.0.1:${port}`;
      const path = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
      // The terminals have their own home folder, but use the registry and the compiler of this machine.
      const npmConfig = process.env["NPM_CONFIG_USERCONFIG"] ?? join(homedir(), ".npmrc");
      const env = { PATH: path, NPM_CONFIG_USERCONFIG: npmConfig };
      terminals = [shellIn(folder, { ...env, VIGIL_PORT: String(port) }), shellIn(folder, env)];
      const demo = terminals[0]?.run(commands).then(({ code, output }) => {
        throw new Error(`the demo ended with ${code}: ${output}`);
      });
      const ready = vi.waitUntil(() => hasRead(url), { timeout: READY_MS, interval: 100 });
      await Promise.race([ready, demo]);
      // This promise is rejected when the demo is stopped at the end, which is not a failure.
      demo?.catch(() => undefined);
    },
    async close() {
      for (const terminal of terminals) await terminal.close();
      if (folder !== "") await rm(folder, { recursive: true, force: true });
    },
  };

  /** True once the demo has collected the data. Until then, the page tells the reader to repeat the call. */
  async function hasRead(origin: string): Promise<boolean> {
    const answer = await fetch(`${origin}/api/health`, { headers: ownKey() }).catch(() => undefined);
    if (!answer?.ok) return false;
    const { datasets = [] } = (await answer.json()) as {
      readonly datasets?: readonly { readonly name: string; readonly state: string }[];
    };
    return READ.every((name) => datasets.some((dataset) => dataset.name === name && dataset.state === "ok"));
  }

  function ownKey(): Readonly<Record<string, string>> {
    try {
      return { "x-service-key": readFileSync(join(folder, "data-demo/owner.key"), "utf8").trim() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      return {};
    }
  }
}
