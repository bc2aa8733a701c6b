import { describe, expect, test } from "vitest";
import type { CommandAnswer, CommandCall } from "../../../contract/service-command.js";
import { OperatorError } from "../../../kit/operator-error.js";
import { testWatchOnPast } from "./test-watch-on-past.js";

const FROM = "2026-11-01T00:00:00Z";
const MIDDLE = "2026-11-10T00:00:00.000Z";
const TO = "2026-11-20T00:00:00.000Z";

const firing = { kind: "WATCH_FIRING_KIND_FIRED", watchName: "Delhi", firedAt: MIDDLE, state: "ok", after: 180.5 };
const firstRun = {
  from: FROM,
  to: MIDDLE,
  evaluations: 1_000,
  firingCount: 3,
  firings: [firing],
  skippedGenerations: 0,
  truncated: true,
  continuation: "wtc1.first",
};
const lastRun = {
  from: MIDDLE,
  to: TO,
  evaluations: 1,
  firingCount: 1,
  firings: [{ ...firing, kind: "WATCH_FIRING_KIND_RESOLVED", firedAt: TO, before: 180.5, after: 90 }],
  skippedGenerations: 2,
  truncated: false,
};
const ok = (body: unknown): CommandAnswer => ({ status: 200, body });

/** Runs the command against a service that gives these answers. */
async function tested(
  answers: readonly CommandAnswer[],
  { argument = "watch.json", file = "{}", ...options }: Readonly<Record<string, string>> = {},
) {
  const [sent, printed, notes]: [unknown[], string[], string[]] = [[], [], []];
  const call: CommandCall = {
    argument,
    options,
    setting: () => {
      throw new Error("the command must not read a setting");
    },
    async send(path, body) {
      sent.push([path, body]);
      return answers[sent.length - 1] ?? { status: 500, body: null };
    },
    receive: () => Promise.reject(new Error("the command must not receive POSTs")),
    readText: async () => file,
    say: (line) => void printed.push(line),
    note: (line) => void notes.push(line),
  };
  const failed = await testWatchOnPast.run(call).then(
    () => undefined,
    (error: unknown) => error,
  );
  return { sent, printed: printed.join("\n"), notes, failed };
}

describe("vigil watch test", () => {
  test("continues until the service has tested everything, and prints the firings with the totals", async () => {
    const file = '{"name": "Delhi"}';
    const { sent, printed, notes, failed } = await tested([ok(firstRun), ok(lastRun)], { file, from: FROM, to: TO });
    expect(failed).toBeUndefined();
    const definition = { name: "Delhi" };
    expect(sent).toEqual([
      ["/api/watches/v1/test-watch", { definition, from: FROM, to: TO }],
      ["/api/watches/v1/test-watch", { definition, continuation: "wtc1.first", to: TO }],
    ]);
    expect(notes).toEqual([`Tested up to ${MIDDLE}`]);
    expect(printed.split("\n")).toEqual([
      "time                      kind      text",
      "------------------------  --------  ---------------------------",
      `${MIDDLE}  fired     Delhi: 180.5`,
      `${TO}  resolved  Delhi: resolved, 180.5 → 90`,
      "and 2 more, which the service counts but does not list",
      `4 firings in 1,001 evaluations, from ${FROM} to ${TO}`,
      "2 changes could not be evaluated, because the content is no longer kept",
    ]);
  });

  test("--watch selects a watch of the account, and --json prints one object", async () => {
    const { sent, printed } = await tested([ok(firstRun), ok(lastRun)], {
      argument: "",
      watch: "wch_1",
      from: FROM,
      json: "true",
    });
    expect(sent[0]).toEqual(["/api/watches/v1/test-watch", { watchId: "wch_1", from: FROM }]);
    expect(JSON.parse(printed)).toEqual({
      from: FROM,
      to: TO,
      evaluations: 1_001,
      firingCount: 4,
      firings: [...firstRun.firings, ...lastRun.firings],
      skippedGenerations: 2,
    });
  });

  test.each([
    [
      "too many tests",
      { status: 429, body: { error: "Too many requests" } },
      `in a minute, or start over with --from ${MIDDLE}`,
    ],
    ["a run without progress", ok({ ...firstRun, from: MIDDLE }), "choose a later --from"],
  ])("prints the results so far and ends with code 3 after %s", async (_, answer, sentence) => {
    const { printed, failed } = await tested([ok(firstRun), answer], { from: FROM });
    expect(printed).toContain(`from ${FROM} to ${MIDDLE}`);
    expect(failed).toBeInstanceOf(OperatorError);
    expect(failed).toMatchObject({ exitCode: 3, message: expect.stringContaining(sentence) });
  });

  const violations = [{ field: "from", description: "must be before the end of the run" }];
  test.each([
    [
      "a status 400 with violations",
      [{ status: 400, body: { violations } }],
      { from: FROM },
      /400: from must be before/,
    ],
    ["a status 404", [{ status: 404, body: { error: "Not found" } }], { from: FROM }, /404: Not found$/],
    ["a status without a message", [{ status: 429, body: { code: 7 } }], { from: FROM }, /429: {"code":7}$/],
    ["a missing start time", [], {}, /^--from must be/],
    ["a file that is not JSON", [], { from: FROM, file: "{" }, /^watch.json is not JSON/],
    ["a call with neither a file nor --watch", [], { from: FROM, argument: "" }, /^name either a file/],
    ["a call with both a file and --watch", [], { from: FROM, watch: "wch_1" }, /^name either a file/],
  ])("ends with code 1 and an explanation after %s", async (_, answers, options, sentence) => {
    const { printed, failed } = await tested(answers, options as Readonly<Record<string, string>>);
    expect(printed).toBe("");
    expect(failed).toBeInstanceOf(OperatorError);
    expect(failed).toMatchObject({ exitCode: 1, message: expect.stringMatching(sentence) });
  });
});
