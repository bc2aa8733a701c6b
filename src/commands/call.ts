import { type Command, Option } from "commander";
import { OperatorError } from "../kit/operator-error.js";
import { type Answer, type DataState, DataStateError, MalformedAnswerError, type Vigil } from "../sdk/index.js";
import { answerTable, CELL_CHARACTERS } from "./call/answer-table.js";
import { bodyIn, bodyParams, queryParams } from "./call/call-params.js";
import { calls, callsText, describedCall, refusedCall } from "./call/calls.js";
import { interruptible } from "./shared/interruptible.js";
import { lineOutput } from "./shared/line-output.js";
import { note, say } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { withService } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";

const STATES: readonly DataState[] = ["ok", "partial", "stale", "absent", "unreadable"];

/** Adds `vigil call`. */
export function addCall(root: Command, run: typeof call = call): void {
  root
    .command("call")
    .description("call an operation of a running service (VIGIL_URL, VIGIL_KEY); without a name, list the operations")
    .argument("[rpc]", "name of the operation")
    .option(
      "-p, --param <name=value>",
      "a parameter, or a member of the body of a write; may be repeated",
      collected,
      [],
    )
    .option("-j, --jmespath <expression>", "project the answer with a JMESPath expression")
    .option("--as-of <instant>", "the answer as it was at an instant, such as 2026-11-20T12:00:00Z")
    .option("-b, --body <json>", "body of a write: JSON, @file, or - for the standard input")
    .option("--idempotency-key <key>", "identifies the write, so that repeating it has no second effect")
    .option("--all", "every row of every page, one line of JSON each")
    .addOption(
      new Option(
        "--table",
        `the answer as a table, whose cells are cut after ${CELL_CHARACTERS} characters; the default is JSON, which is not cut`,
      ).conflicts("all"),
    )
    .addOption(
      new Option("--states <states>", `accept only data in these states: ${STATES.join(", ")}`).argParser(statesIn),
    )
    .option("--describe", "print the parameters or the body of the operation instead of calling it")
    .option("--demo", "use the key of the demo's store")
    .addHelpText("after", EXAMPLES)
    .action((rpc: string | undefined, options: CallOptions) => run(rpc, options));
}

const EXAMPLES = `
Examples (<rpc> is the name of an operation):
  vigil call                                     every operation
  vigil call <rpc> --describe                    its parameters
  vigil call <rpc> -j 'keys(@)'                  the result of an expression
  vigil call <rpc> -p page_size=5 --table        the first page as a table
  vigil call <rpc> --all > rows.ndjson           every row of every page
  vigil call <rpc> -p format=csv > rows.csv      another format
  vigil call <rpc> --states ok                   fail unless the data is complete and fresh
  vigil call <rpc> --body @request.json          a write

Only the answer goes to standard output. The state, generation and time of the data go to standard error.
Exit codes: 0 answered; 1 refused, or no service; 4 the data is in a state that --states does not accept; 130
interrupted.`;

const STATE_REFUSED = 4;

export interface CallOptions extends StoreChoice {
  readonly param: readonly string[];
  readonly jmespath?: string;
  readonly asOf?: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly all?: boolean;
  readonly table?: boolean;
  readonly states?: readonly DataState[];
  readonly describe?: boolean;
}

function collected(pair: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, pair];
}

function statesIn(text: string): readonly DataState[] {
  return text.split(",").map((name) => {
    const state = STATES.find((candidate) => candidate === name.trim());
    if (state !== undefined) return state;
    throw new OperatorError(`--states must be among ${STATES.join(", ")}, got "${name}"`);
  });
}

async function call(rpc: string | undefined, options: CallOptions): Promise<void> {
  const { config, services } = await startUp();
  if (rpc === undefined) return say(callsText());
  const refused = refusedCall(rpc);
  if (refused !== undefined) throw new OperatorError(refused);
  if (options.describe) return say(describedCall(services, rpc));
  await withService(runningService(config, options), (vigil) =>
    interruptible("interrupted before the answer was complete", (signal) => send(vigil, rpc, options, signal)).catch(
      refusedState,
    ),
  );
}

/**
 * Rethrows the error of a call. If the error says that `--states` does not accept the state of the data, throws an
 * `OperatorError` with the exit code for this case instead.
 */
function refusedState(error: unknown): never {
  if (!(error instanceof DataStateError)) throw error;
  throw new OperatorError(`${error.message}, which --states does not accept`, {
    cause: error,
    exitCode: STATE_REFUSED,
  });
}

async function send(vigil: Vigil, rpc: string, options: CallOptions, signal: AbortSignal): Promise<void> {
  const { states } = options;
  const params = paramsOf(rpc, options);
  if (options.all) return printRows(vigil, rpc, params, { states, signal });
  const answer = await vigil.callByName(rpc, params, { states, signal, idempotencyKey: options.idempotencyKey });
  const meaning = meaningText(answer);
  if (meaning !== "") note(meaning);
  const isJson = /^application\/json\b/.test(answer.headers.get("content-type") ?? "");
  if (isJson) say(answerText(rpc, answer.data, options.table ?? false));
  else process.stdout.write(String(answer.data));
}

/** Builds the parameters of a read or the body of a write from the options. */
function paramsOf(rpc: string, { param, jmespath, asOf, body, table }: CallOptions): Readonly<Record<string, unknown>> {
  const isWrite = ["write", "form"].includes(calls[rpc]?.kind ?? "read");
  if (!isWrite) {
    if (body !== undefined) throw new OperatorError(`${rpc} is a read; give its parameters with --param`);
    const params = queryParams(param);
    if (table && (params["format"] ?? "json") !== "json") {
      throw new OperatorError(`--table shows JSON; omit --table or -p format=${params["format"]}`);
    }
    return { ...params, ...(jmespath !== undefined && { jmespath }), ...(asOf !== undefined && { asOf }) };
  }
  if (jmespath !== undefined || asOf !== undefined) {
    throw new OperatorError(`${rpc} is a write, which takes neither --jmespath nor --as-of`);
  }
  return { ...(body !== undefined && bodyIn(body)), ...bodyParams(param) };
}

async function printRows(
  vigil: Vigil,
  rpc: string,
  params: Readonly<Record<string, unknown>>,
  options: { readonly states: readonly DataState[] | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const list = calls[rpc]?.rows;
  if (list === undefined) throw new OperatorError(`${rpc} has no pages; omit --all`);
  const output = lineOutput(process.stdout);
  try {
    for await (const row of vigil.rowsByName(rpc, params, options)) {
      if (!(await output.print(JSON.stringify(row), options.signal))) return;
    }
  } catch (error) {
    if (!(error instanceof MalformedAnswerError) || params["jmespath"] === undefined) throw error;
    const sentence = `--all prints the rows of \`${list}\`, which the result of --jmespath does not have`;
    throw new OperatorError(`${sentence}; keep the list in the expression, or omit --all`, { cause: error });
  } finally {
    output.release();
  }
}

function answerText(rpc: string, data: unknown, isTable: boolean): string {
  return isTable ? answerTable(data, calls[rpc]?.rows) : JSON.stringify(data, null, 2);
}

/** Formats the state, generations, time and notice of an answer as one line; empty if the answer has none of them. */
function meaningText({ state, generation, lastModified, simulated, notice }: Answer<unknown>): string {
  const datasets = Object.entries(generation).map(([name, number]) => `${name}=${number}`);
  return [
    ...(simulated ? ["SIMULATED data"] : []),
    ...(state === undefined ? [] : [`state ${state}`]),
    ...(datasets.length === 0 ? [] : [`generation ${datasets.join(", ")}`]),
    ...(lastModified === undefined ? [] : [`last modified ${lastModified.toISOString()}`]),
    ...(notice === undefined ? [] : [`notice: ${notice}`]),
  ].join("; ");
}
