import { type Static, Type } from "typebox";
import { datasetTimeline } from "../../../contract/dataset-log.js";
import type { Violation } from "../../../contract/failures.js";
import { loopTurns } from "../../../contract/loop-turns.js";
import { storedAnswers } from "../../../contract/stored-answers.js";
import { write } from "../../../contract/write.js";
import { isoInstant } from "../../../kit/iso-instant.js";
import { exampleDefinition } from "../example-watch.js";
import { testContinuationsPort, watchesPort } from "../ports.js";
import { WatchFiring, WatchId, WatchRequest } from "../records.js";
import { testLimit } from "../rules/call-limits.js";
import { checkedDefinition } from "../rules/checked-definition.js";
import { dryRun, EVALUATIONS_MAX, FIRINGS_SHOWN_MAX } from "../rules/dry-run.js";
import { watchNotFound } from "../rules/failures.js";
import { requestedDefinition } from "../rules/requested-definition.js";
import { CONTINUATION_CHARACTERS_MAX, checkPlace } from "../rules/test-continuation.js";

/** Maximum length of an instant in a request; ISO 8601 instants are far shorter. */
const INSTANT_CHARACTERS_MAX = 40;

const Instant = (description: string) =>
  Type.String({ format: "date-time", maxLength: INSTANT_CHARACTERS_MAX, description: `${description}, ISO 8601` });

const { position: _position, firingId: _firingId, watchId: _watchId, ...firingMembers } = WatchFiring.properties;

const Continuation = (description: string) =>
  Type.Optional(Type.String({ maxLength: CONTINUATION_CHARACTERS_MAX, description }));

const TestWatchRequest = Type.Object(
  {
    watchId: Type.Optional(WatchId),
    definition: Type.Optional(WatchRequest),
    from: Type.Optional(Instant("Start of the run: the first comparison is with the answer at this time")),
    continuation: Continuation(
      "`continuation` of a truncated run of the same definition; this run begins where that one ended",
    ),
    to: Type.Optional(Instant("End of the run; default: now")),
  },
  { title: "TestWatchRequest", description: "Either `watchId` or `definition`, and either `from` or `continuation`." },
);

export const testWatch = write({
  rpc: "test-watch",
  summary: "Run a watch over the past",
  description: `Evaluates a definition, or a watch of the account, at every change of its datasets between two instants, as if the watch had been created at the first instant. Nothing is stored or sent. A run has at most ${EVALUATIONS_MAX.toLocaleString("en")} evaluations; if it is truncated, the next run continues with \`continuation\` as if the two were one run.`,
  access: { scope: "watches:write" },
  limit: testLimit,
  repeats: "ignored",
  isTransaction: false,
  failures: ["itemNotFound"],
  uses: {
    watches: watchesPort,
    continuations: testContinuationsPort,
    answers: storedAnswers,
    timeline: datasetTimeline,
    turns: loopTurns,
  },
  request: TestWatchRequest,
  example: { definition: exampleDefinition, from: "2026-11-01T00:00:00Z" },
  response: Type.Object(
    {
      from: Instant("Start of the evaluated time; later than requested if the change log of the datasets begins later"),
      to: Instant("End of the evaluated time"),
      evaluations: Type.Integer({ minimum: 0, description: "Number of evaluations" }),
      firingCount: Type.Integer({ minimum: 0, description: "Number of firings, including those not in `firings`" }),
      firings: Type.Array(
        Type.Object(firingMembers, { title: "TestedWatchFiring", description: "A firing of a test." }),
        {
          maxItems: FIRINGS_SHOWN_MAX,
          description: "The first firings, in order",
        },
      ),
      skippedGenerations: Type.Integer({
        minimum: 0,
        description: "Number of changes that were not evaluated, because their content is no longer kept",
      }),
      truncated: Type.Boolean({ description: "True if the run ended before `to` was reached" }),
      continuation: Continuation("If truncated: the `continuation` to send with the next run"),
    },
    { title: "TestWatchResponse" },
  ),
  violations,
  async run({ watchId, definition: input, from = "", to = "", continuation }, { principal, ports, now }) {
    const { watches, continuations, answers, timeline, turns } = ports;
    const definition =
      watchId === undefined ? input && requestedDefinition(input) : (await watches.find(watchId))?.definition;
    if (!definition) throw watchNotFound();
    const checked = checkedDefinition(definition, answers, principal);
    const end = isoInstant(to) ?? now();
    const place = continuation === undefined ? undefined : continuations.open(checked.definition, continuation);
    if (place) await checkPlace(place, checked.question, { timeline, to: end });
    const span = { from: place ?? isoInstant(from) ?? 0, to: end };
    const { cutAt, ...run } = await dryRun(checked, span, { answers, timeline, turns });
    return { body: { ...run, ...(cutAt && { continuation: continuations.sign(checked.definition, cutAt) }) } };
  },
});

function violations(
  { watchId, definition, from, to, continuation }: Static<typeof TestWatchRequest>,
  now: number,
): readonly Violation[] {
  const end = to === undefined ? now : isoInstant(to);
  return [
    ...((watchId === undefined) === (definition === undefined)
      ? [{ field: "definition", description: "either watchId or definition is required" }]
      : []),
    ...((from === undefined) === (continuation === undefined)
      ? [{ field: "from", description: "either from or continuation is required" }]
      : []),
    ...(from === undefined
      ? []
      : instantViolations("from", isoInstant(from), end ?? now, "must be before the end of the run")),
    ...instantViolations("to", end, now + 1, "must not be in the future"),
  ];
}

function instantViolations(field: string, at: number | undefined, before: number, late: string): readonly Violation[] {
  if (at === undefined) return [{ field, description: "must be an ISO 8601 instant such as 2026-11-23T12:00:00Z" }];
  return at < before ? [] : [{ field, description: late }];
}
