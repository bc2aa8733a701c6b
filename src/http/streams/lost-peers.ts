import { fstatSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { SECOND_MS } from "../../kit/clock.js";

/** The kernel's tables of TCP connections, on Linux. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
/**
 * A peer counts as lost after this number of retransmissions of unacknowledged bytes. On a nearby network, the kernel
 * starts with a pause of 0.2 s and doubles it each time, so that the sixth retransmission comes after 13 s.
 */
const REPEATS_MAX = 6;
const LOOKED_EVERY_MS = 5 * SECOND_MS;

/** Ends the connections of peers that vanished without closing them. */
export interface LostPeers {
  /** Watches a connection until it closes. */
  watch(socket: Socket): void;
}

/**
 * Ends watched connections whose peer does not acknowledge the bytes sent to it, even after `REPEATS_MAX`
 * retransmissions. The kernel itself ends such a connection only after about a quarter of an hour, and Node cannot
 * change this limit for a single connection. The retransmissions are read from the kernel's tables of connections.
 * These exist only on Linux; on other systems, no connection is ended.
 */
export function lostPeers(readTables: () => Promise<readonly string[]> = readKernelTables): LostPeers {
  const watched = new Map<number, Socket>();
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    for (const table of await readTables()) {
      for (const inode of unansweredIn(table)) watched.get(inode)?.destroy();
    }
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    watch(socket) {
      const inode = inodeOf(socket);
      if (inode === undefined) return;
      watched.set(inode, socket);
      timer ??= setInterval(() => void look().catch(stop), LOOKED_EVERY_MS).unref();
      socket.once("close", () => {
        if (watched.get(inode) === socket) watched.delete(inode);
        if (watched.size === 0) stop();
      });
    },
  };
}

/** Reads one table. Returns the inodes of the connections with at least `REPEATS_MAX` retransmissions. */
export function unansweredIn(table: string): readonly number[] {
  return table.split("\n").flatMap((line) => {
    // Columns: number, local and remote address, state, queues, timer, repeats, user, timeout, inode.
    const [, , , , , , repeats = "", , , inode = ""] = line.trim().split(/ +/);
    return Number.parseInt(repeats, 16) >= REPEATS_MAX ? [Number(inode)] : [];
  });
}

/**
 * Identifies the connection in the kernel's tables; undefined for a closed connection, and on systems where sockets are
 * not files.
 */
function inodeOf(socket: Socket & { readonly _handle?: { readonly fd?: number } | null }): number | undefined {
  const fd = socket._handle?.fd ?? -1;
  return fd < 0 ? undefined : fstatSync(fd).ino;
}

async function readKernelTables(): Promise<readonly string[]> {
  return Promise.all(TABLES.map((path) => readFile(path, "latin1")));
}
