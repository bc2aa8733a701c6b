import { type Command, InvalidArgumentError } from "commander";
import { type RegisteredStream, STREAM_PREFIX, type Stream, type StreamFilters } from "../contract/stream.js";
import { wireName } from "../http/query.js";
import { OperatorError } from "../kit/operator-error.js";
import { spanText } from "../kit/text-table.js";
import { GoneError, NotFoundError, type Reconnection, type Vigil } from "../sdk/index.js";
import { joined } from "./shared/joined.js";
import { type LineOutput, lineOutput } from "./shared/line-output.js";
import { note } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { type ApiAddress, sentenceOf, withService } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";
import { untilInterrupted } from "./shared/until-interrupted.js";
import { lineOf } from "./watch/event-line.js";

/** The exit code for a position that is not in the log. */
const PLACE_GONE_EXIT_CODE = 3;

/** Adds `vigil watch` with a command for each declared stream. */
export function addWatch(root: Command, streams: readonly RegisteredStream[], run: typeof watch = watch): void {
  const parent = root
    .command("watch")
    .description("follow the changes that a running service (VIGIL_URL, VIGIL_KEY) logs")
    .addHelpText("after", examplesOf(streams));
  parent.action(() => parent.outputHelp());
  for (const registered of streams) {
    const { stream } = registered;
    const command = parent.command(nameOf(registered)).description(stream.summary);
    for (const [name, field] of Object.entries(stream.filters)) {
      const values = stream.log.facets[name];
      command.option(
        `${optionOf(name)} <values>`,
        field.description + (values === undefined ? "" : `: ${values.join(", ")}`),
        joined,
      );
    }
    command
      .option("--from <place>", "continue after a position or a cursor; default: begin with the next change")
      .option("--count <number>", "end after this many changes", countIn)
      .option("--json", "each event as one line of JSON, with `type` and `data`")
      .option("--demo", "use the key of the demo's store")
      .addHelpText("after", exampleOf(registered) + ENDINGS)
      .action((options: WatchOptions) => run(registered, options));
  }
}

const ENDINGS = `

After a lost connection, the command reconnects and continues after the last printed event, so each change is printed
once. Ctrl-C ends the command.
Exit codes: 0 ended by --count, Ctrl-C or the reader of the output; 1 refused, or no service at the first attempt;
3 the log does not reach back to the position in --from, or ends before it.`;

function examplesOf(streams: readonly RegisteredStream[]): string {
  const lines = streams.map((registered) => `  vigil watch ${nameOf(registered)} --json --from 0`);
  return `\nExamples, from the beginning of the log:\n${lines.join("\n")}`;
}

/** An example call, with the first filter whose values are known. */
function exampleOf(registered: RegisteredStream): string {
  const { facets } = registered.stream.log;
  const filter = Object.keys(registered.stream.filters).find((name) => facets[name] !== undefined);
  const values = filter === undefined ? [] : (facets[filter] ?? []);
  const option = filter === undefined ? "" : ` ${optionOf(filter)} ${values.at(-1)}`;
  return `\nExample, one change as it happens:\n  vigil watch ${nameOf(registered)}${option} --count 1`;
}

function nameOf({ stream }: RegisteredStream): string {
  return stream.rpc.slice(STREAM_PREFIX.length);
}

/** Returns the name of a filter's option. For `companyId`, it is `--company-id`. */
function optionOf(filter: string): string {
  return `--${wireName(filter).replaceAll("_", "-")}`;
}

interface WatchOptions extends StoreChoice {
  readonly from?: string;
  readonly count?: number;
  readonly json?: boolean;
  /** Filter values by name. */
  readonly [filter: string]: unknown;
}

async function watch({ stream }: RegisteredStream, options: WatchOptions): Promise<void> {
  const { config } = await startUp();
  const service = runningService(config, options);
  const output = lineOutput(process.stdout);
  const progress: Progress = { remaining: options.count ?? Number.POSITIVE_INFINITY };
  try {
    await untilInterrupted((signal) =>
      withService(service, (vigil) => printEvents(vigil, stream, options, { service, output, progress, signal })).catch(
        (error: unknown) => {
          if (!signal.aborted) throw sentenceFor(error);
        },
      ),
    );
  } finally {
    output.release();
    const { position } = progress;
    if (position !== undefined) note(`Ended after position ${position}; --from ${position} continues`);
  }
}

interface Progress {
  /** Number of changes still to be printed. */
  remaining: number;
  /**
   * The position of the last handled event. Undefined before the first event, and also if the reader of the output
   * closed the output before all lines were printed.
   */
  position?: number | undefined;
}

interface Printing {
  readonly service: ApiAddress;
  readonly output: LineOutput;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Prints the events of a stream until enough changes are printed or the reader of the output has closed the output. */
async function printEvents(
  vigil: Vigil,
  { rpc, filters, log }: Stream,
  options: WatchOptions,
  { service, output, progress, signal }: Printing,
): Promise<void> {
  const { cursor, lastEventId } = placeOf(options.from);
  const params = { ...filtersIn(filters, options), cursor };
  for await (const event of vigil.streamByName(rpc, params, { lastEventId, signal, onReconnect: noteLoss })) {
    if (event.type === "ready") note(`Connected to ${service.url}, after position ${event.position}`);
    const line = lineOf(event, log, options.json ?? false);
    if (line !== undefined && !(await output.print(line, signal))) {
      progress.position = undefined;
      return;
    }
    progress.position = event.position;
    if (event.event === log.event) progress.remaining -= 1;
    if (progress.remaining <= 0) return;
  }
}

function noteLoss({ error, waitMs }: Reconnection): void {
  note(`${error === undefined ? "The stream ended" : sentenceOf(error)}; connecting again in ${spanText(waitMs)}`);
}

/** Converts a rejection by the service to a sentence with a remedy. Returns any other error unchanged. */
function sentenceFor(error: unknown): unknown {
  const cause = error instanceof OperatorError ? error.cause : undefined;
  if (cause instanceof GoneError) {
    const gone = "the log does not reach back to this position, or ends before it";
    const remedy = "list again and continue from the pollCursor of the list, or omit --from";
    return new OperatorError(`${gone}; ${remedy}`, { exitCode: PLACE_GONE_EXIT_CODE });
  }
  if (!(cause instanceof NotFoundError)) return error;
  return new OperatorError(`${sentenceOf(cause)}; the service has another version, or the stream is switched off`);
}

function filtersIn(filters: StreamFilters, options: WatchOptions): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.keys(filters).map((name) => [name, options[name]]));
}

/**
 * Parses the position after which a stream starts. Digits are a position; any other text is a cursor, which the service
 * validates.
 */
function placeOf(from: string | undefined): { readonly cursor?: string; readonly lastEventId?: string } {
  if (from === undefined) return {};
  return /^\d+$/.test(from) ? { lastEventId: from } : { cursor: from };
}

function countIn(text: string): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (count > 0) return count;
  throw new InvalidArgumentError("a number of changes is a whole number of at least 1");
}
