// Measures open streams of company events and of dataset changes: memory and idle CPU, and the fan-out of new changes
// to the streams. The service, the writer of changes and the callers are separate processes, so that only the service
// is measured.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pin } from "../load.mjs";

const PORT = 18_794;
const ACCOUNTS = 40;
const STREAMS_EACH = 50;
const CHANGES_PER_SECOND = 100;
const SETTLE_MS = 3_000;

/**
 * Returns two rows of results. In the first, each change goes to the 50 streams of one account. In the second, each
 * change goes to all 2,000 streams.
 */
export async function companyStreamRows(seconds) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-streams-"));
  const service = await started(
    new URL("./company-stream-process.mjs", import.meta.url),
    ["serve", dataDir, String(PORT), String(ACCOUNTS)],
    {
      execArgv: ["--expose-gc"],
    },
  );
  try {
    await pin(0, service.child);
    const rows = [];
    for (const log of ["company", "dataset"]) rows.push(await row(log, service, dataDir, seconds));
    return rows;
  } finally {
    await ended(service.child, "close");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function row(log, { child, ready }, dataDir, seconds) {
  const before = await reply(child, "usage");
  const callers = await started(new URL("./company-stream-callers.mjs", import.meta.url), [
    log,
    String(PORT),
    String(STREAMS_EACH),
    ...ready.keys,
  ]);
  await pause(SETTLE_MS);
  const opened = await reply(child, "usage");
  await pause(seconds * 1_000);
  const idle = await reply(child, "usage");
  const writer = await started(new URL("./company-stream-process.mjs", import.meta.url), [
    "write",
    dataDir,
    log,
    ready.accounts.join(),
  ]);
  const writing = await reply(child, "usage");
  const { written } = await reply(writer.child, { seconds, perSecond: CHANGES_PER_SECOND });
  const { cpuMs: writtenCpuMs } = await reply(child, "usage");
  await pause(1_500);
  const { events, delayMs } = await reply(callers.child, "counts");
  await Promise.all([ended(callers.child, "close"), ended(writer.child, "close")]);
  await pause(1_000);
  const streams = ACCOUNTS * STREAMS_EACH;
  const expected = (written + writer.ready.begun) * (log === "company" ? STREAMS_EACH : streams);
  const share = (cpuMs) => Number((cpuMs / (seconds * 10)).toFixed(1));
  return {
    name: `streams of ${log} changes`,
    streams,
    kbEach: Number(((opened.rssBytes - before.rssBytes) / 1_024 / streams).toFixed(1)),
    idleCpuPercent: share(idle.cpuMs - opened.cpuMs),
    changesPerSecond: Math.round(written / seconds),
    eventsPerSecond: Math.round(events / seconds),
    missing: expected - events,
    fanOutCpuPercent: share(writtenCpuMs - writing.cpuMs),
    delayMs,
  };
}

async function started(file, args, options = {}) {
  const child = fork(file, args, options);
  const ready = await answerOf(child);
  return { child, ready };
}

function reply(child, message) {
  const answer = answerOf(child);
  child.send(message);
  return answer;
}

function answerOf(child) {
  return new Promise((resolve, reject) => {
    const fail = (code) => reject(new Error(`a process of the benchmark ended with ${code}`));
    child.once("exit", fail);
    child.once("message", (message) => {
      child.off("exit", fail);
      resolve(message);
    });
  });
}

async function ended(child, message) {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  if (child.connected) child.send(message);
  await exit;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
