import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import { keyOn } from "./support/callers.js";
import { commandHostForAll, type EndedCommand } from "./support/process.js";
import { runJob } from "./support/run-job.js";
import { type Stack, startStack } from "./support/stack.js";

const command = commandHostForAll();
let stack: Stack;
let server: HttpServer;
let url: string;
let folder: string;
beforeAll(async () => {
  stack = await startStack({ datasets: ["us-cpi"] });
  await log();
  await stack.run("us-cpi");
  await log();
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  folder = await mkdtemp(join(tmpdir(), "vigil-watch-"));
});
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the job that logs the changes of datasets. */
const log = (): Promise<void> => runJob(stack, logJob);

async function watch(args: readonly string[], key = stack.service.access.ownerKey.key ?? ""): Promise<EndedCommand> {
  return command(["watch", ...args], { VIGIL_URL: url, VIGIL_KEY: key, VIGIL_DATA_DIR: folder });
}

test("vigil watch prints the changes after a position, one per line, and ends after --count changes", async () => {
  const { code, printed, output } = await watch(["dataset-changes", "--from", "0", "--state", "ok", "--count", "1"]);
  expect([code, printed.split("\n").length]).toEqual([0, 2]);
  expect(printed).toMatch(
    /^\d+ {2}2026-11-18T12:00:00\.000Z {2}us-cpi ok \(was absent\), generation 1, newest 2026-\d\d-01\n$/,
  );
  const [position] = printed.split(" ");
  // The stream begins after the entries that the filter does not admit.
  expect(output).toContain(`Connected to ${url}, after position ${Number(position) - 1}\n`);
  expect(output).toContain(`Ended after position ${position}; --from ${position} continues\n`);
}, 20_000);

test("vigil watch --json prints what polls and webhooks deliver; --from continues after a printed cursor", async () => {
  const lines = async (from: string, count: string) => {
    const { code, printed, output } = await watch(["dataset-changes", "--json", "--from", from, "--count", count]);
    expect(code, output).toBe(0);
    return printed
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const [first, second] = await lines("0", "2");
  expect(first).toMatchObject({ type: "dataset.changed", data: { position: 1, state: "absent" } });
  expect(await lines(first.data.nextCursor, "1")).toEqual([second]);
}, 20_000);

const STREAM = "/api/datasets/v1/stream-dataset-changes";

test.each([
  {
    args: ["dataset-changes", "--from", "99999"],
    code: 3,
    message:
      "the log does not reach back to this position, or ends before it; list again and continue from the pollCursor of the list, or omit --from",
  },
  {
    args: ["dataset-changes", "--from", "x"],
    code: 1,
    message: `${STREAM} answered 400: cursor must be a cursor of this log; omit it to begin with the next change`,
  },
  {
    args: ["dataset-changes", "--state", "green"],
    code: 1,
    message: `${STREAM} answered 400: state each value must match ^(?:ok|partial|stale|absent|unreadable)$, got "green"`,
  },
  {
    args: ["weather-changes"],
    code: 1,
    message:
      "there is no command watch weather-changes; did you mean dataset-changes? (vigil --help lists all commands)",
  },
])(
  "vigil watch $args ends with a message of one sentence",
  async ({ args, code, message }) => {
    const ended = await watch(args);
    expect([ended.code, ended.output.replace(url, "")]).toEqual([code, `vigil: ${message}\n`]);
  },
  20_000,
);

test("vigil watch says in one sentence that the service refuses the key or that the key lacks the scope", async () => {
  expect(await watch(["dataset-changes"], "wrong")).toMatchObject({
    code: 1,
    output: `vigil: ${url} refuses the key; set VIGIL_KEY to one of its keys\n`,
  });
  const key = await keyOn(stack, "business", ["company_monitoring:read"]);
  const { code, output } = await watch(["dataset-changes"], key);
  expect([code, output]).toEqual([1, expect.stringMatching(/ answered 403: This key lacks the scope read\n$/)]);
}, 20_000);

test("vigil watch without arguments lists the declared streams", async () => {
  const { code, printed } = await watch([]);
  expect(code).toBe(0);
  for (const { stream } of stack.services.streams) {
    expect(printed.replaceAll(/ +/g, " ")).toContain(
      ` ${stream.rpc.slice("stream-".length)} [options] ${stream.summary}\n`,
    );
  }
}, 20_000);
