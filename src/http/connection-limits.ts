import type { Server } from "node:http";
import type { Socket } from "node:net";
import { addressBlock } from "../kit/address-block.js";
import { monotonicMs } from "../kit/clock.js";

/** Limits on the number of connections, on the time for a request, and on answers that callers do not read. */
export interface ConnectionLimits {
  /** Maximum number of connections of all callers together. */
  readonly max: number;
  /** Maximum number of connections per address; an IPv6 address counts by its /64. */
  readonly perAddressMax: number;
  /** Longest time for a complete request to arrive. */
  readonly requestMs: number;
  /** Time after which a connection is closed if its caller has read less than `stillBytesMin` of a waiting answer. */
  readonly stillMs: number;
  /** Minimum progress on a waiting answer, so that a caller who reads byte by byte does not hold memory for long. */
  readonly stillBytesMin: number;
  /** Returns true for a proxy, whose connections carry the calls of many callers. */
  readonly isProxy: (address: string) => boolean;
}

export const connectionLimitsDefault: ConnectionLimits = {
  max: 10_000,
  perAddressMax: 1_000,
  requestMs: 30_000,
  stillMs: 30_000,
  stillBytesMin: 16_384,
  isProxy: () => false,
};

/** Share of all connections reserved for addresses with few connections. */
const KEPT_SHARE = 0.2;
const FEW = 10;
const SWEPT_EVERY_MS = 5_000;

/** Tracks the calls that are running on each connection. */
export interface ConnectionWatch {
  /** Records that a call began on this connection. `ended` must be called when the call has ended. */
  began(socket: Socket): void;
  ended(socket: Socket): void;
}

/**
 * Prevents one address from taking all connections of a server. When an address or the server is at its limit, a new
 * connection replaces the oldest idle connection of its address, or is refused if that address has no idle connection.
 * The limit of an address falls to 10 when 80 % of the server's connections are open. Proxies have no limit by address:
 * a new connection of a proxy is refused only when the server is at its limit. Also closes connections on which a
 * waiting answer makes too little progress.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): ConnectionWatch {
  const { max, perAddressMax, stillMs, stillBytesMin, isProxy } = limits;
  const connections = new Map<Socket, Connection>();
  /** The connections of every address except proxies, oldest first. */
  const byAddress = new Map<string, Set<Socket>>();
  let open = 0;

  const isAnswering = (socket: Socket): boolean => (connections.get(socket)?.calls ?? 0) > 0;
  const isIdle = (socket: Socket): boolean => !isAnswering(socket) && socket.writableLength === 0;

  /** Returns true if an address with these connections may open one more. May close an idle connection to make room. */
  function hasRoom(own: ReadonlySet<Socket>): boolean {
    const isScarce = open >= max * (1 - KEPT_SHARE);
    const ownMax = isScarce ? Math.min(FEW, perAddressMax) : perAddressMax;
    return (open < max && own.size < ownMax) || giveUpOldest(own);
  }

  function giveUpOldest(own: ReadonlySet<Socket>): boolean {
    for (const socket of own) {
      if (!isIdle(socket)) continue;
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  function count(socket: Socket, address: string | undefined): void {
    connections.set(socket, { address, calls: 0, waiting: 0, movedAt: 0 });
    open += 1;
    if (address !== undefined) byAddress.set(address, (byAddress.get(address) ?? new Set<Socket>()).add(socket));
    socket.once("close", () => forget(socket));
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    open -= 1;
    if (connection.address === undefined) return;
    const own = byAddress.get(connection.address);
    own?.delete(socket);
    if (own?.size === 0) byAddress.delete(connection.address);
  }

  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    // A caller that has already disconnected has no address.
    const address = remoteAddress === undefined || isProxy(remoteAddress) ? undefined : addressBlock(remoteAddress);
    const isAdmitted = address === undefined ? open < max : hasRoom(byAddress.get(address) ?? none);
    if (isAdmitted) count(socket, address);
    else socket.destroy();
  });

  function destroyStill(): void {
    const now = monotonicMs();
    for (const [socket, connection] of connections) {
      const waiting = waitingBytes(socket);
      const movedBytes = connection.waiting - waiting;
      if (waiting === 0 || movedBytes < 0 || movedBytes >= stillBytesMin) {
        connection.waiting = waiting;
        connection.movedAt = now;
      } else if (now - connection.movedAt >= stillMs) socket.destroy();
    }
  }
  const sweeping = setInterval(destroyStill, Math.min(stillMs, SWEPT_EVERY_MS)).unref();
  server.once("close", () => clearInterval(sweeping));

  const addCalls = (socket: Socket, by: number): void => {
    const connection = connections.get(socket);
    if (connection !== undefined) connection.calls += by;
  };
  return { began: (socket) => addCalls(socket, 1), ended: (socket) => addCalls(socket, -1) };
}

interface Connection {
  /** Undefined for a proxy, and for a caller that disconnected before it was counted. */
  readonly address: string | undefined;
  /** Number of calls that have not been answered yet. */
  calls: number;
  /** Number of unsent bytes when progress was last seen, and the time of that progress. */
  waiting: number;
  movedAt: number;
}

/**
 * Bytes that the kernel has not accepted yet. The socket's handle counts them; `writableLength` is only the fallback,
 * because it does not decrease while one large chunk is being written. Node's socket timeouts read the handle too. They
 * are not used, because they restart whenever the caller sends something.
 */
function waitingBytes(socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null }): number {
  return socket._handle?.writeQueueSize ?? socket.writableLength;
}

const none: ReadonlySet<Socket> = new Set();
