import { type Command, InvalidArgumentError } from "commander";
import { type RegisteredStream, STREAM_PREFIX, type StreamFilters } from "../contract/stream.js";
import { wireName } from "../http/query.js";
import { systemClock } from "../kit/clock.js";
import { systemRandom } from "../kit/random.js";
import { serviceUrl } from "./shared/api-client.js";
import { joined } from "./shared/joined.js";
import { lineOutput } from "./shared/line-output.js";
import { note } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";
import { untilInterrupted } from "./shared/until-interrupted.js";
import { readEvent } from "./watch/event-line.js";
import { followStream } from "./watch/follow-stream.js";
import { openStream, type StreamPlace } from "./watch/open-stream.js";

/** Adds `vigil watch` with a command for each declared stream. */
export function addWatch(root: Command, streams: readonly RegisteredStream[], run: typeof watch = watch): void {
  const parent = root
    .command("watch")
    .description("follow changes as a running service (VIGIL_URL, VIGIL_KEY) logs them")
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
      .option("--count <number>", "end after so many changes", countIn)
      .option("--json", "each event as one line of JSON, with `type` and `data`")
      .option("--demo", "use the key of the demo's store")
      .addHelpText("after", exampleOf(registered) + ENDINGS)
      .action((options: WatchOptions) => run(registered, options));
  }
}

const ENDINGS = `

Lost connections are opened again after the last printed event, so each change is printed once. Ctrl-C ends the command.
Exit codes: 0 ended by --count, Ctrl-C or the reader of the output; 1 refused, or no service at the first attempt;
3 the log does not reach back to the place of --from.`;

function examplesOf(streams: readonly RegisteredStream[]): string {
  const lines = streams.map((registered) => `  vigil watch ${nameOf(registered)} --json --from 0`);
  return `\nExamples, from the beginning of the log:\n${lines.join("\n")}`;
}

/** The call with the first filter that has named values. */
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

/** `companyId` is `--company-id`. */
function optionOf(filter: string): string {
  return `--${wireName(filter).replaceAll("_", "-")}`;
}

interface WatchOptions extends StoreChoice {
  readonly from?: string;
  readonly count?: number;
  readonly json?: boolean;
  /** Values of the filters by their names. */
  readonly [filter: string]: unknown;
}

async function watch({ path, stream }: RegisteredStream, options: WatchOptions): Promise<void> {
  const { config } = await startUp();
  const target = { ...runningService(config, options), path, query: queryOf(stream.filters, options) };
  const { origin } = serviceUrl(target, path);
  const { from, json = false } = options;
  const output = lineOutput(process.stdout);
  let remaining = options.count ?? Number.POSITIVE_INFINITY;
  let position: number | undefined;
  try {
    await untilInterrupted((signal) =>
      followStream({
        open: (place, connection) => openStream(target, place, connection, systemClock.now()),
        place: from === undefined ? {} : placeOf(from),
        clock: systemClock,
        random: systemRandom,
        signal,
        note,
        async onEvent(received) {
          const event = readEvent(received, stream.log, json);
          if (!("text" in event)) note(`Connected to ${origin}, after position ${event.position}`);
          const line = "text" in event ? event : event.line;
          if (line !== undefined && !(await output.print(line.text, signal))) {
            // Unknown: the reader has gone with some of the printed lines unread.
            position = undefined;
            return false;
          }
          position = event.position;
          if (line?.isChange) remaining -= 1;
          return remaining > 0;
        },
      }),
    );
  } finally {
    output.release();
    if (position !== undefined) note(`Ended after position ${position}; --from ${position} continues`);
  }
}

/** The values of the filters by their names in a query string. */
function queryOf(filters: StreamFilters, options: WatchOptions): Record<string, string> {
  const names = Object.keys(filters).filter((name) => typeof options[name] === "string");
  return Object.fromEntries(names.map((name) => [wireName(name), String(options[name])]));
}

/** Digits are a position; everything else is a cursor, which the service judges. */
function placeOf(from: string): StreamPlace {
  return /^\d+$/.test(from) ? { lastEventId: from } : { cursor: from };
}

function countIn(text: string): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (count > 0) return count;
  throw new InvalidArgumentError("a number of changes is a whole number of at least 1");
}
