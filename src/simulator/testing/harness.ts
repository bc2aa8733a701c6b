import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type ManualClock, manualClock } from "../../kit/manual-clock.js";
import { type Simulator, type SimulatorOptions, startSimulator } from "../simulator.js";

const RECORDINGS = fileURLToPath(new URL("../../../../shared/upstream/", import.meta.url));

/** True for a checkout without the shared recordings; tests that compare with them are then skipped. */
export const recordingsAbsent = !existsSync(RECORDINGS);

/** Reads a recorded payload, which is kept outside the repository. */
export function recording(path: string): string {
  return readFileSync(RECORDINGS + path, "utf8");
}

export interface Started extends Simulator {
  readonly clock: ManualClock;
  /** The answer to a request for an upstream address. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  text(url: string): Promise<string>;
}

/** Starts a simulator whose clock begins at `now` (ISO). The simulator closes when the test ends. */
export async function started(now: string, options: Partial<Omit<SimulatorOptions, "clock">> = {}): Promise<Started> {
  const clock = manualClock(Date.parse(now));
  const simulator = await startSimulator({ clock, seed: 7, ...options });
  let open = true;
  const close = async (): Promise<void> => {
    if (open) await simulator.close();
    open = false;
  };
  onTestFinished(close);
  const get = (url: string, headers = {}): Promise<Response> => fetch(addressOf(simulator, url), { headers });
  return { ...simulator, close, clock, get, text: async (url) => await (await get(url)).text() };
}

export function addressOf(simulator: Simulator, url: string): string {
  return url.replace(/^https:\//, simulator.baseUrl);
}

/**
 * Returns everything that the server sends until it closes the connection, including the status line and headers, as
 * text.
 */
export function rawGet(simulator: Simulator, target: string): Promise<string> {
  const { hostname, port } = new URL(simulator.baseUrl);
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: simulator\r\nConnection: close\r\n\r\n`);
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(received));
  });
}

/** True if all elements of the document are closed in the right order. */
export function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  for (const [, closing, name, empty] of xml.matchAll(/<(\/)?([\w:]+)[^>]*?(\/)?>/g)) {
    if (closing !== undefined && open.pop() !== name) return false;
    if (closing === undefined && empty === undefined) open.push(name ?? "");
  }
  return open.length === 0;
}
