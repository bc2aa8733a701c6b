import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy on loopback in front of a real server. It can delay traffic, and freeze or drop connections. */
export interface TcpProxy {
  readonly port: number;
  /** Number of open connections of callers. */
  readonly open: number;
  /** Forwards nothing and answers nothing, but keeps every connection. New connections are accepted and wait. */
  freeze(): void;
  thaw(): void;
  /** Forwards everything `ms` later in both directions. */
  delay(ms: number): void;
  /** Resets every connection. */
  cut(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Map<Socket, Socket>();
  let isFrozen = false;
  let delayMs = 0;
  const server = createServer((inner) => {
    const outer = connect(target.port, target.host);
    pairs.set(inner, outer);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      // An error needs no handling, because the close that follows it ends the other side.
      from.on("error", () => undefined);
      from.on("close", () => {
        pairs.delete(inner);
        to.destroy();
      });
      from.on("data", (chunk) => {
        if (delayMs === 0) to.write(chunk);
        else setTimeout(() => to.writable && to.write(chunk), delayMs);
      });
      if (isFrozen) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const each = (work: (socket: Socket) => void): void => {
    for (const pair of [...pairs]) for (const socket of pair) work(socket);
  };
  const cut = (): void => each((socket) => socket.resetAndDestroy());
  return {
    // A TCP server that listens has an address with a port.
    port: (server.address() as AddressInfo).port,
    get open() {
      return pairs.size;
    },
    freeze() {
      isFrozen = true;
      each((socket) => socket.pause());
    },
    thaw() {
      isFrozen = false;
      each((socket) => socket.resume());
    },
    delay(ms) {
      delayMs = ms;
    },
    cut,
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
