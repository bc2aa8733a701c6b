import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { type HttpServer, httpServer } from "../../../src/http/server.js";
import { SECOND_MS } from "../../../src/kit/clock.js";
import type { RunCommand } from "../process.js";
import { type Stack, startStack } from "../stack.js";
import { hostedVigil } from "./hosted-vigil.js";
import { type Shell, shellIn } from "./shell.js";
import type { World } from "./worlds.js";

const repository = resolve(import.meta.dirname, "../../..");

/** A running service for the code blocks of documentation pages. */
export interface DocumentService {
  readonly stack: Stack;
  readonly url: string;
  close(): Promise<void>;
}

export async function documentService({ options, prepare }: World): Promise<DocumentService> {
  const stack = await startStack(options);
  await prepare?.(stack);
  const server: HttpServer = httpServer(stack.answer);
  const url = await server.listen("127.0.0.1", 0);
  return {
    stack,
    url,
    async close() {
      await server.close();
      await stack.close();
    },
  };
}

/** A folder with a terminal, like a clone of the repository after a service has run in it. */
export interface Clone {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly shell: Shell;
  /** Replaces the addresses, times and folders in the code of a page, so that the code can run in this clone. */
  local(code: string): string;
  remove(): Promise<void>;
}

/**
 * Creates a clone with the stores of a service: the demo's store, and a copy marked as real data. With `command`, the
 * `vigil` of the clone runs its commands through `command`.
 */
export async function cloneFor(
  { stack, url }: DocumentService,
  more: Readonly<Record<string, string>> = {},
  command?: RunCommand,
): Promise<Clone> {
  const folder = await cloneIn(await mkdtemp(join(tmpdir(), "vigil-clone-")));
  const hosted = command && (await hostedVigil(join(folder, "bin/vigil"), command));
  await symlink(stack.dataDir, join(folder, "data-demo"));
  await realStore(stack.dataDir, join(folder, "data"));
  const key = stack.service.access.ownerKey.key ?? "";
  const env = {
    URL: url,
    KEY: key,
    VIGIL_URL: url,
    VIGIL_KEY: key,
    VIGIL_UPSTREAM_BASE: stack.simulator.baseUrl,
    ...more,
  };
  const python = join(folder, "python");
  const pip = {
    PIP_TARGET: python,
    PIP_NO_INDEX: "1",
    PIP_DISABLE_PIP_VERSION_CHECK: "1",
    PIP_ROOT_USER_ACTION: "ignore",
  };
  const path = `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`;
  const shell = shellIn(folder, { PATH: path, PYTHONPATH: python, PYTHONDONTWRITEBYTECODE: "1", ...pip, ...env });
  return {
    folder,
    env,
    shell,
    local: (code) =>
      code
        .replaceAll("http://127.0.0.1:8787", url)
        // The time of a signature must be close to the service's clock, which is not the clock of the machine.
        .replaceAll("$(date +%s)", String(Math.floor(stack.clock.now() / SECOND_MS)))
        .replaceAll(/(?<=[\s=])\/(backups|var\/lib\/vigil)\b/g, (_, name: string) => join(folder, name)),
    async remove() {
      await shell.close();
      hosted?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fills a folder with links to the built repository, and with a command `vigil`. */
export async function cloneIn(folder: string): Promise<string> {
  for (const name of ["package.json", "node_modules", "dist", "docs", "clients"]) {
    await symlink(join(repository, name), join(folder, name));
  }
  await mkdir(join(folder, "bin"));
  const main = join(repository, "dist/bin/vigil.js");
  await writeFile(join(folder, "bin/vigil"), `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`, { mode: 0o755 });
  return folder;
}

/** Copies a store of the demo and marks the copy as a store of real data. */
async function realStore(from: string, to: string): Promise<void> {
  await mkdir(to);
  const demo = new Database(join(from, "vigil.db"), { readonly: true });
  demo.prepare("VACUUM INTO ?").run(join(to, "vigil.db"));
  demo.close();
  const real = new Database(join(to, "vigil.db"));
  real.prepare("UPDATE store_mark SET value = 'real' WHERE name = 'kind'").run();
  // The copy represents another installation, so the account that docs/access.md creates must not exist in it.
  real.pragma("foreign_keys = OFF");
  real.prepare("DELETE FROM account WHERE id = 'acc_desk'").run();
  real.close();
  await cp(join(from, "bodies"), join(to, "bodies"), { recursive: true });
  await writeFile(join(to, "owner.key"), await readFile(join(from, "owner.key")), { mode: 0o600 });
}
