import { createServer } from "node:net";
import { trustedProxy } from "../http/client-address.js";
import { connectionLimitsDefault } from "../http/connection-limits.js";
import { demoLabel } from "../http/demo-label.js";
import { httpServer } from "../http/server.js";
import { systemClock } from "../kit/clock.js";
import { TurnAge } from "../kit/turn-age.js";
import { type Config, configured } from "./config.js";
import { listenFailure } from "./open-store.js";
import { type ServeOptions, servicePipeline } from "./service-pipeline.js";

/** A service that listens on the network. */
export interface RunningServer {
  readonly address: string;
  /** Reports "not ready" for `ms` and asks callers to close their connections, but still accepts calls. */
  drain(ms: number): Promise<void>;
  /**
   * Stops accepting connections and waits for the calls in progress. Callers have `idleMs` to close their idle
   * connections.
   */
  close(idleMs?: number): Promise<void>;
}

/** Throws if the service cannot listen on the address, so that the start fails before a store is created or opened. */
export async function checkAddress({ host, port }: Pick<Config, "host" | "port">): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once("error", reject);
      probe.listen(port, host, resolve);
    });
    await new Promise((resolve) => probe.close(resolve));
  } catch (error) {
    throw listenFailure(error, host, port);
  }
}

/** Starts an HTTP server for an open service. */
export async function serveHttp(options: ServeOptions): Promise<RunningServer> {
  let isReady = false;
  const { connectionsMax: max, connectionsPerAddress: perAddressMax, trustedProxies } = options.config;
  const isProxy = configured(() => trustedProxy(trustedProxies));
  const turnAge = new TurnAge();
  const server = httpServer(
    servicePipeline(
      options,
      () => isReady,
      () => Math.max(turnAge.delayMs, options.service.turns.delayMs),
    ),
    demoLabel(options.simulated),
    { ...connectionLimitsDefault, max, perAddressMax, isProxy },
    options.service.turns,
  );
  const { host, port } = options.config;
  const address = await server.listen(host, port).catch((error: unknown) => {
    throw listenFailure(error, host, port);
  });
  isReady = true;
  return {
    address: options.config.publicUrl ?? address,
    async drain(ms) {
      isReady = false;
      if (ms === 0) return;
      server.drain();
      await systemClock.sleep(ms);
    },
    async close(idleMs = 0) {
      isReady = false;
      // The server waits for open calls. Streams never end on their own, so they are closed first.
      options.service.streams.close();
      await server.close(idleMs);
    },
  };
}
