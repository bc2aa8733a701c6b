import { readFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort, type ProcessRoom, type VigilProcess } from "./process.js";

/** A demo of several processes on one port. */
export interface WorkerService {
  readonly base: string;
  readonly key: string;
  readonly process: VigilProcess;
  /** Returns the process id of the ingest process, as `ingest`, and that of each worker, by its number. */
  pids(): Promise<Readonly<Record<string, number>>>;
  /** Calls a path on a connection of `agent`; by default on a new connection. Rejects if the connection fails. */
  call(path: string, agent?: Agent): Promise<CallResult>;
}

export interface CallResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const START_MS_MAX = 300_000;

export async function startWorkers(
  room: ProcessRoom,
  workers: number,
  env: Readonly<Record<string, string>> = {},
): Promise<WorkerService> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const process = room.start(["demo", "--workers", String(workers)], {
    VIGIL_DATA_DIR: room.folder,
    VIGIL_PORT: String(port),
    VIGIL_LOG_FORMAT: "json",
    ...env,
  });
  await vi.waitUntil(() => process.output().includes("all workers are ready"), { timeout: START_MS_MAX, interval: 50 });
  const key = (await readFile(join(room.folder, "owner.key"), "utf8")).trim();
  const call = (path: string, agent: Agent = new Agent()): Promise<CallResult> => calledAt(base + path, key, agent);
  return {
    base,
    key,
    process,
    call,
    async pids() {
      const lines = process.output().split("\n");
      const started = lines.findLast((line) => line.includes("all workers are ready")) ?? "{}";
      const replaced = lines.filter((line) => line.includes("a worker was replaced"));
      const later = replaced.map((line) => JSON.parse(line)).map(({ worker, pid }) => [worker, pid]);
      return { ...JSON.parse(started).pids, ...Object.fromEntries(later) };
    },
  };
}

/** Sends a GET with a key on a connection of `agent`. Rejects if the connection fails. */
export function calledAt(url: string, key: string, agent: Agent): Promise<CallResult> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { "X-Service-Key": key } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, body: Buffer.concat(chunks).toString() });
      });
    });
    request.on("error", reject);
  });
}
