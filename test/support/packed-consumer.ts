import { execFile } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, "../..");

/** A new project in which only the packed service is installed. */
export interface PackedConsumer {
  readonly folder: string;
  /** The folder of the installed package. */
  readonly installed: string;
  readonly tarball: string;
  write(name: string, text: string): Promise<void>;
  /** Checks the types of a file with only the type libraries of browsers. Returns the errors. */
  typeErrors(name: string, resolution: "bundler" | "node16" | "nodenext"): Promise<string>;
  /** Runs a file and returns what it prints. */
  node(name: string, args: readonly string[]): Promise<string>;
}

/** Packs the build output and extracts it into an empty project. Needs no network. */
export async function packedConsumer(): Promise<PackedConsumer> {
  const folder = await mkdtemp(join(tmpdir(), "vigil-packed-"));
  const installed = join(folder, "node_modules/vigil");
  await mkdir(installed, { recursive: true });
  const pack = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder];
  const { stdout } = await run("npm", pack, { cwd: repository });
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  const tarball = join(folder, packed?.filename ?? "");
  await run("tar", ["-xzf", tarball, "-C", installed, "--strip-components=1"]);
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  await write("package.json", '{ "name": "consumer", "private": true, "type": "module" }\n');
  return {
    folder,
    installed,
    tarball,
    write,
    async typeErrors(name, resolution) {
      const module = resolution === "bundler" ? "esnext" : resolution;
      const options = [
        "--module",
        module,
        "--moduleResolution",
        resolution,
        "--target",
        "es2023",
        "--lib",
        "es2023,dom",
      ];
      const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", ""];
      const tsc = [join(repository, "node_modules/typescript/bin/tsc"), "--noEmit", ...options, ...strict, name];
      return run(process.execPath, tsc, { cwd: folder }).then(
        () => "",
        (failed: { readonly stdout: string }) => failed.stdout,
      );
    },
    node: async (name, args) => (await run(process.execPath, [name, ...args], { cwd: folder })).stdout,
  };
}

/** A program that uses the client: its types, a call, a projection, rows, and an error. */
export const CONSUMER_PROGRAM = `import { createVigil, UnauthorizedError, type Answer, type CpiMonth, type Vigil } from "vigil/sdk";

export async function summary(url: string, key: string): Promise<string> {
  const vigil: Vigil = createVigil({ url, key });
  const answer = await vigil.economic.getUsCpiMonthly();
  const months: readonly CpiMonth[] = answer.data.months;
  const projected: Answer<number> = await vigil.economic.getUsCpiMonthly<number>({ jmespath: "length(months)" });
  let rows = 0;
  for await (const { magnitude } of vigil.seismology.listEarthquakes.rows({ pageSize: 10 })) rows += magnitude > 0 ? 1 : 0;
  const refused = await createVigil({ url }).call("get-us-cpi-monthly").catch((error: unknown) => error);
  const isRefused = refused instanceof UnauthorizedError;
  // @ts-expect-error: there is no such parameter
  if (rows < 0) await vigil.economic.getUsCpiMonthly({ histroy: true });
  // @ts-expect-error: a required parameter is missing
  if (rows < 0) await vigil.call("get-humanitarian-summary");
  return JSON.stringify({ state: answer.state, months: months.length, projected: projected.data, rows: rows > 10, isRefused });
}
`;

/** A program that takes the address of a service and a key as arguments, and prints the summary. */
export const CONSUMER_RUN =
  'import { summary } from "./program.mjs";\nconsole.log(await summary(...process.argv.slice(2)));\n';
