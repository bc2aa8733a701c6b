import { Command, InvalidArgumentError } from "commander";
import { suggestion } from "../kit/nearest.js";

/** What the commands do; the composition root supplies them. */
export interface Commands {
  serve(): Promise<void>;
  demo(options: { readonly recorded?: string }): Promise<void>;
  ingest(datasets: readonly string[], options: OfStore & Creating): Promise<void>;
  datasets(options: OfStore & { readonly json?: boolean }): Promise<void>;
  explainStory(story: string, options: OfStore & { readonly lang: string; readonly variant?: string }): Promise<void>;
  simulate(options: { readonly port: number; readonly recorded?: string }): Promise<void>;
  doctor(options: DoctorAsked): Promise<void>;
  jmespath(expression: string, file: string): Promise<void>;
  ownerKey(options: OfStore & Creating & { readonly new?: boolean }): Promise<void>;
  accounts(options: OfStore): Promise<void>;
  createAccount(
    name: string,
    options: OfStore & Creating & { readonly plan: string; readonly id?: string },
  ): Promise<void>;
  setPlan(account: string, plan: string, options: OfStore & { readonly state: string }): Promise<void>;
  keys(account: string | undefined, options: OfStore): Promise<void>;
  createKey(
    account: string,
    options: OfStore & { readonly name: string; readonly scopes: string; readonly days?: string },
  ): Promise<void>;
  revokeKey(account: string, keyId: string, options: OfStore): Promise<void>;
  plans(options: OfStore): Promise<void>;
  audit(options: OfStore & { readonly limit: string }): Promise<void>;
}

export interface DoctorAsked {
  readonly feeds?: boolean;
  readonly sources?: boolean;
  readonly save?: string;
  readonly json?: boolean;
  readonly overrides?: boolean;
  readonly lang?: string;
  readonly variant?: string;
  readonly demo?: boolean;
}

interface OfStore {
  readonly demo?: boolean;
}

interface Creating {
  /** Makes the store where there is none. */
  readonly create?: boolean;
}

const DEMO = ["--demo", "of the demo's store"] as const;
const CREATE = ["--create", "make the store where there is none yet"] as const;

/**
 * The sentence for a command that there is not, with the nearest one there is. Commander asks the default command first,
 * which would only say that it takes no arguments.
 */
export function unknownCommand(root: Command, words: readonly string[]): string | undefined {
  let command = root;
  for (const word of words) {
    if (word.startsWith("-")) continue;
    // What takes arguments of its own, or has nothing beneath it, judges them itself.
    if (command.commands.length === 0 || command.registeredArguments.length > 0) return undefined;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next && word !== "help") {
      const names = command.commands.map((candidate) => candidate.name());
      const parent = [...(command === root ? [] : [command.name()]), word].join(" ");
      return `there is no command ${parent}${suggestion(word, names) || `; there are ${names.join(", ")}`}`;
    }
    if (!next) return undefined;
    command = next;
  }
  return undefined;
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
    .option("--demo", "into the demo's store, from simulated upstreams")
    .option(...CREATE)
    .action(commands.ingest);
  root
    .command("datasets")
    .description("the datasets of a running service (VIGIL_URL, VIGIL_KEY) with their state and age")
    .option("--json", "the cards as JSON")
    .option("--demo", "with the key of the demo's store")
    .action(commands.datasets);
  root
    .command("explain")
    .description("how a running service came to what it serves")
    .command("story")
    .description("how the scores of a story in the news digest came about (VIGIL_URL, VIGIL_KEY)")
    .argument("<story>", "its `storyId`, or the beginning of it")
    .option("--lang <language>", "language of the digest", "en")
    .option("--variant <variant>", "full, tech, finance, happy or commodity; default: all of them")
    .option("--demo", "with the key of the demo's store")
    .action(commands.explainStory);
  root
    .command("simulate")
    .description("only the simulated upstreams, for VIGIL_UPSTREAM_BASE")
    .option("--port <port>", "port to listen on", port, 8790)
    .option("--recorded <dir>", "serve the payloads recorded in this folder instead")
    .action(commands.simulate);
  root
    .command("doctor")
    .description("what would stop or degrade this installation")
    .option("--feeds", "ask every news feed of the catalogue from here instead, and say which are dead")
    .option("--sources", "ask every configured upstream once from here instead, and say what its decoder reads")
    .option("--save <folder>", "of the sources, keep the answers as a recording for demo --recorded")
    .option("--lang <language>", "of the feeds, those in this language")
    .option("--variant <variant>", "of the feeds, those of this variant of the digest")
    .option("--overrides", "of the feeds, print only the VIGIL_FEEDS that leaves the dead ones out")
    .option("--json", "as JSON")
    .option("--demo", "of what `vigil demo` would run on")
    .action(commands.doctor);
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
    .option(...DEMO)
    .option(...CREATE)
    .action(commands.ownerKey);
  addAccountCommands(root, commands);
  return root;
}

function addAccountCommands(root: Command, commands: Commands): void {
  const ofStore = (parent: Command, name: string, description: string): Command =>
    parent
      .command(name)
      .description(description)
      .option(...DEMO)
      // Given before the name of a command it holds for that command.
      .hook("preSubcommand", (of, subcommand) => {
        if (of.getOptionValue("demo")) subcommand.setOptionValue("demo", true);
      });
  // What stands behind a command of its own is that command's.
  root.enablePositionalOptions();
  const accounts = ofStore(root, "accounts", "list accounts, make one, change a plan").action(commands.accounts);
  ofStore(accounts, "create", "make an account; prints its id")
    .argument("<name>", "for people to read")
    .option("--plan <plan>", "free, pro, starter, business or enterprise", "starter")
    .option("--id <id>", "id of your own choice")
    .option(...CREATE)
    .action(commands.createAccount);
  ofStore(accounts, "plan", "change what an account may do")
    .argument("<account>", "its id")
    .argument("<plan>", "free, pro, starter, business or enterprise")
    .option("--state <state>", "active, lapsed or renewal-pending", "active")
    .action(commands.setPlan);
  const keys = ofStore(root, "keys", "list the keys of an account, make or revoke one")
    .argument("[account]", "its id; default: the operator's own")
    .action(commands.keys);
  ofStore(keys, "create", "make a key; it is printed this once")
    .argument("<account>", "its id")
    .option("--name <name>", "for people to read", "made on the command line")
    .option("--scopes <scopes>", "comma-separated", "read,account:write")
    .option("--days <days>", "days until it expires; default: never")
    .action(commands.createKey);
  ofStore(keys, "revoke", "end a key, its sessions and its tokens")
    .argument("<account>", "its id")
    .argument("<key>", "the id of the key, as `vigil keys` lists it")
    .action(commands.revokeKey);
  ofStore(root, "plans", "the plans with their limits").action(commands.plans);
  ofStore(root, "audit", "what was done to accounts and keys, newest first")
    .option("--limit <count>", "how many", "50")
    .action(commands.audit);
}

function port(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError("a port is a whole number from 0 to 65535");
}
