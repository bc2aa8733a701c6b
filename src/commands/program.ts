import { Command } from "commander";
import type { ServiceGroup } from "../contract/service-group.js";
import type { RegisteredStream } from "../contract/stream.js";
import { suggestion } from "../kit/nearest.js";
import { addAccounts } from "./accounts.js";
import { addAudit } from "./audit.js";
import { addBackup } from "./backup.js";
import { addCall } from "./call.js";
import { addCompletion } from "./completion.js";
import { addConfig } from "./config.js";
import { addCopy } from "./copy.js";
import { addDatasets } from "./datasets.js";
import { addDemo } from "./demo.js";
import { addDiff } from "./diff.js";
import { addDoctor } from "./doctor.js";
import { addExplain } from "./explain.js";
import { addExport } from "./export.js";
import { addHealth } from "./health.js";
import { addHistory } from "./history.js";
import { addIngest } from "./ingest.js";
import { addJmespath } from "./jmespath.js";
import { addKeys } from "./keys.js";
import { addMcp } from "./mcp.js";
import { addMigrate } from "./migrate.js";
import { addOwnerKey } from "./owner-key.js";
import { addPlans } from "./plans.js";
import { addRestore } from "./restore.js";
import { addServe } from "./serve.js";
import { addServiceCommands } from "./service-commands.js";
import { addSimulate } from "./simulate.js";
import { addVerify } from "./verify.js";
import { addVerifyAnswer } from "./verify-answer.js";
import { addWatch } from "./watch.js";

/** The service declarations from which the program derives commands. */
export interface CommandDeclarations {
  readonly groups: readonly ServiceGroup[];
  readonly streams: readonly RegisteredStream[];
}

const HELP = `
Examples:
  vigil demo                                        a service with simulated data, at http://127.0.0.1:8787
  vigil serve                                       a service with real data; it also starts without a command
  vigil call                                        the operations of the service; <rpc> is one of them
  vigil call <rpc> -p page_size=5 --table           the first page of its answer, as a table
  vigil datasets                                    the datasets of the service, with their age
  vigil export us-cpi --format csv                  a dataset as a file
  vigil help call                                   the options of a command, with examples

Results go to standard output, remarks and progress to standard error. Commands that print a list have --json.
Exit codes: 0 done; 1 refused or failed, with the reason as the last line of the standard error; 130 interrupted.
The help of each command lists its other codes; docs/command-line.md lists all codes.`;

/** The command line `vigil` with the commands of the services, in the order in which the help lists them. */
export function program({ groups, streams }: CommandDeclarations, version: string): Command {
  const root = new Command("vigil")
    .description("Public monitoring data with provenance, behind one API")
    .version(version)
    .addHelpText("after", HELP)
    // Options after the name of a subcommand belong to that subcommand.
    .enablePositionalOptions();
  addServe(root);
  addDemo(root);
  addIngest(root);
  addDatasets(root);
  addHistory(root);
  addDiff(root);
  addExport(root);
  addExplain(
    root,
    groups.flatMap(({ explains = [] }) => explains),
  );
  addCall(root);
  addWatch(root, streams);
  addServiceCommands(
    root,
    groups.flatMap(({ commands = [] }) => commands),
  );
  addMcp(root);
  addSimulate(root);
  addDoctor(
    root,
    groups.flatMap(({ feedCatalogue }) => feedCatalogue ?? []),
  );
  addHealth(root);
  addBackup(root);
  addRestore(root);
  addCopy(root);
  addMigrate(root);
  addConfig(root);
  addVerify(root);
  addVerifyAnswer(root);
  addJmespath(root);
  addOwnerKey(root);
  addAccounts(root);
  addKeys(root);
  addPlans(root);
  addAudit(root);
  addCompletion(root);
  return root;
}

/**
 * If the command is unknown, returns a sentence that suggests the most similar command; otherwise undefined. Commander
 * itself would try the default command, and the error would only say that the default command takes no arguments.
 */
export function unknownCommand(root: Command, words: readonly string[]): string | undefined {
  let command = root;
  for (const word of words) {
    // The words after `help` name the command whose help is printed.
    if (word.startsWith("-") || word === "help") continue;
    // A command that takes arguments or has no subcommands checks the remaining words itself.
    if (command.commands.length === 0 || command.registeredArguments.length > 0) return undefined;
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next === undefined) {
      const names = command.commands.map((candidate) => candidate.name());
      const parent = [...(command === root ? [] : [command.name()]), word].join(" ");
      return `there is no command ${parent}${suggestion(word, names) || `; the commands are ${names.join(", ")}`}`;
    }
    command = next;
  }
  return undefined;
}
