#!/usr/bin/env node
import cluster from "node:cluster";
import { ConfigError } from "../app/config.js";
import { version } from "../app/version.js";
import { OperatorError } from "../kit/operator-error.js";
import { loadServiceGroups, loadStreams } from "../services/registry.js";
import { program, unknownCommand } from "./program.js";
import { outliveReaders } from "./shared/output.js";

/** Returns the message of an error that an operator can fix, and the stack of any other error. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof OperatorError ? error.message : (error.stack ?? error.message);
}

outliveReaders();
try {
  const groups = await loadServiceGroups();
  const root = program({ groups, streams: await loadStreams(groups) }, version);
  const unknown = unknownCommand(root, process.argv.slice(2));
  if (unknown !== undefined) throw new ConfigError(`${unknown} (vigil --help lists all commands)`);
  await root.parseAsync();
} catch (error) {
  process.stderr.write(`vigil: ${textOf(error)}\n`);
  process.exitCode = error instanceof OperatorError ? error.exitCode : 1;
  // The connection to its primary would keep a failed worker alive.
  if (cluster.isWorker) process.exit();
}
