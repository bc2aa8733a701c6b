import { Command, InvalidArgumentError } from "commander";

/** What the commands do; the composition root supplies them. */
export interface Commands {
  serve(): Promise<void>;
  demo(options: { readonly recorded?: string }): Promise<void>;
  ingest(datasets: readonly string[]): Promise<void>;
  datasets(options: { readonly json?: boolean }): Promise<void>;
  simulate(options: { readonly port: number; readonly recorded?: string }): Promise<void>;
  jmespath(expression: string, file: string): Promise<void>;
  ownerKey(options: { readonly new?: boolean; readonly demo?: boolean }): Promise<void>;
}

/** The command line `vigil`. */
export function program(commands: Commands, version: string): Command {
  const root = new Command("vigil")
    .description("Public monitoring data with provenance, behind one API")
    .version(version);
  root
    .command("serve", { isDefault: true })
    .description("serve the API and keep its datasets built")
    .action(commands.serve);
  root
    .command("demo")
    .description("the same on simulated upstreams: no network, no keys, and labelled as simulated")
    .option("--recorded <dir>", "serve the payloads recorded in this folder, at their own time")
    .action(commands.demo);
  root
    .command("ingest")
    .description("build datasets now, in this process, and say how it went")
    .argument("<dataset...>", "names as `vigil datasets` lists them, or `all`")
    .action(commands.ingest);
  root
    .command("datasets")
    .description("the datasets of a running service (VIGIL_URL, VIGIL_KEY) with their state and age")
    .option("--json", "the cards as JSON")
    .action(commands.datasets);
  root
    .command("simulate")
    .description("only the simulated upstreams, for VIGIL_UPSTREAM_BASE")
    .option("--port <port>", "port to listen on", port, 8790)
    .option("--recorded <dir>", "serve the payloads recorded in this folder instead")
    .action(commands.simulate);
  root
    .command("jmespath")
    .description("what an expression makes of a JSON file, with the limits of the service")
    .argument("<expression>", "as the parameter `jmespath` takes it")
    .argument("<file>", "JSON, for example a saved answer; - is the standard input")
    .action(commands.jmespath);
  root
    .command("owner-key")
    .description("show where the owner's key is, or replace it")
    .option("--new", "make a new key; the old one stops working")
    .option("--demo", "of the demo's store")
    .action(commands.ownerKey);
  return root;
}

function port(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError("a port is a whole number from 0 to 65535");
}
