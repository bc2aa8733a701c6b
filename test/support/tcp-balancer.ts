import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A load balancer on loopback that hands connections to servers in turn. */
export interface TcpBalancer {
  readonly address: string;
  close(): Promise<void>;
}

/** Starts a load balancer. `ports` returns the ports of the servers that take new connections at the moment. */
export async function startTcpBalancer(ports: () => readonly number[]): Promise<TcpBalancer> {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((inner) => {
    const open = ports();
    const port = open[turn++ % open.length];
    if (port === undefined) {
      inner.destroy();
      return;
    }
    const outer = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      // An error needs no handling, because the close that follows it ends the other side.
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The cast is safe, because the address of a listening TCP server has a port.
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
