import type { CommandAnswer, CommandCall, ServiceCommand } from "../../../contract/service-command.js";
import { OperatorError } from "../../../kit/operator-error.js";
import { type PastRuns, pastRunsText } from "./past-runs-text.js";

const PATH = "/api/watches/v1/test-watch";
/** The exit code if the test stopped before the end of the requested period. */
const UNFINISHED_EXIT_CODE = 3;

/** The start of a run: an instant, or the continuation that the previous run returned. */
type Start = { readonly from: string } | { readonly continuation: string };

/** The service's answer to one call of `test-watch`. */
interface AnsweredRun extends PastRuns {
  readonly continuation?: string;
}

/** The command `vigil watch test`, which lists the firings that a watch would have had. */
export const testWatchOnPast: ServiceCommand = {
  name: "test",
  description:
    "run a watch over the history of a running service (VIGIL_URL, VIGIL_KEY) and list when it would have fired",
  argument: { name: "file", description: "the definition as JSON, as for create-watch", isOptional: true },
  options: [
    { flags: "--watch <id>", description: "the id of a watch of the account, instead of a file" },
    { flags: "--from <instant>", description: "start of the period, such as 2026-11-01T00:00:00Z; required" },
    { flags: "--to <instant>", description: "end of the period; default: now" },
    { flags: "--json", description: "print one JSON object, with the firings in the form that test-watch returns" },
  ],
  examples: [
    "vigil watch test inversion.json --from 2026-01-01T00:00:00Z",
    "vigil watch test --watch wch_01KAX0000000000000000000000 --from 2026-11-01T00:00:00Z --json",
  ],
  exitCodes:
    "0 the whole period was tested, whether or not the watch fired; 1 the service refused the test or could not be reached, or the file cannot be read; 3 the test stopped before --to, and the last line says how to continue",
  async run(call) {
    const { options, say, note } = call;
    const subject = await subjectOf(call);
    const { from, to, json } = options;
    if (from === undefined) throw new OperatorError("--from must be the start time, such as 2026-11-01T00:00:00Z");
    const runs: AnsweredRun[] = [];
    let ending: string | undefined;
    let reached = from;
    for (let start: Start | undefined = { from }; start !== undefined; ) {
      const answer = await call.send(PATH, { ...subject, ...start, ...(to !== undefined && { to }) });
      if (answer.status === 429 && runs.length > 0) {
        ending = `too many tests within a minute; try again in a minute, or start over with --from ${reached}`;
        break;
      }
      const run = runIn(answer);
      runs.push(run);
      reached = run.to;
      const { continuation }: AnsweredRun = run;
      if (continuation !== undefined && "continuation" in start && start.continuation === continuation) {
        ending = `the service could not evaluate the change after ${reached} within the limits of a test; choose a later --from`;
        break;
      }
      if (continuation !== undefined) note(`Tested up to ${reached}`);
      start = continuation === undefined ? undefined : { continuation };
    }
    const all = joinedRuns(runs);
    if (all) say(json === undefined ? pastRunsText(all) : JSON.stringify(all, null, 2));
    if (ending !== undefined) throw new OperatorError(ending, { exitCode: UNFINISHED_EXIT_CODE });
  },
};

/** Returns the member of the request that identifies the watch or contains the definition. */
async function subjectOf({ argument, options, readText }: CommandCall): Promise<Readonly<Record<string, unknown>>> {
  const { watch } = options;
  if ((argument === "") === (watch === undefined)) {
    throw new OperatorError("name either a file with the definition, or --watch with the id of a watch");
  }
  if (watch !== undefined) return { watchId: watch };
  const text = await readText(argument);
  try {
    return { definition: JSON.parse(text) as unknown };
  } catch (error) {
    throw new OperatorError(`${argument} is not JSON (${(error as Error).message})`, { cause: error });
  }
}

function runIn({ status, body }: CommandAnswer): AnsweredRun {
  // The cast is safe, because `test-watch` declares this type for its answers with status 200.
  if (status === 200) return body as AnsweredRun;
  throw new OperatorError(`${PATH} answered ${status}: ${reasonIn(body)}`);
}

/** Returns the violations that an error body lists, or else its message, or else the whole body as JSON. */
function reasonIn(body: unknown): string {
  const { violations, error } = (body ?? {}) as {
    readonly violations?: readonly { readonly field: string; readonly description: string }[];
    readonly error?: unknown;
  };
  if (Array.isArray(violations))
    return violations.map(({ field, description }) => `${field} ${description}`).join("; ");
  return typeof error === "string" ? error : JSON.stringify(body);
}

/** Combines consecutive runs into one; returns undefined if there are none. */
function joinedRuns(runs: readonly AnsweredRun[]): PastRuns | undefined {
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return undefined;
  const sum = (count: (run: AnsweredRun) => number): number => runs.reduce((total, run) => total + count(run), 0);
  return {
    from: first.from,
    to: last.to,
    evaluations: sum(({ evaluations }) => evaluations),
    firingCount: sum(({ firingCount }) => firingCount),
    firings: runs.flatMap(({ firings }) => firings),
    skippedGenerations: sum(({ skippedGenerations }) => skippedGenerations),
  };
}
