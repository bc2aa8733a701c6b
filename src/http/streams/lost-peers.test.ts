import { once } from "node:events";
import { fstatSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { lostPeers, unansweredIn } from "./lost-peers.js";

const HEAD =
  "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                     \n";

/** A connection in `/proc/net/tcp`, with 26 unacknowledged bytes that were resent this many times. */
const line = (repeats: number, inode: number): string =>
  `   7: 0100007F:2253 0100007F:C350 01 0000001A:00000000 01:00000014 ${repeats.toString(16).padStart(8, "0")}     0        0 ${inode} 2 0000000000000000 20 4 30 10 -1\n`;

afterEach(() => vi.useRealTimers());

test("unansweredIn returns the connections with at least six retransmissions", () => {
  expect(unansweredIn(HEAD + line(0, 1) + line(5, 2) + line(6, 3) + line(15, 4))).toEqual([3, 4]);
  expect(unansweredIn("")).toEqual([]);
});

test.skipIf(process.platform === "win32")("only the connection to the lost peer is closed", async () => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pair = async (): Promise<{ readonly own: Socket; readonly peer: Socket }> => {
    const accepted = once(server, "connection");
    const peer = connect((server.address() as { port: number }).port, "127.0.0.1");
    const [own] = (await accepted) as [Socket];
    return { own, peer };
  };
  const [lost, kept] = [await pair(), await pair()];
  const inode = fstatSync((lost.own as Socket & { _handle: { fd: number } })._handle.fd).ino;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let looks = 0;
  const peers = lostPeers(async () => {
    looks += 1;
    return [HEAD + line(6, inode)];
  });
  peers.watch(lost.own);
  peers.watch(kept.own);
  const closed = once(lost.own, "close");
  vi.advanceTimersByTime(5_000);
  await closed;
  expect([looks, kept.own.destroyed]).toEqual([1, false]);
  kept.own.destroy();
  await once(kept.own, "close");
  vi.advanceTimersByTime(60_000);
  expect(looks).toBe(1);
  lost.peer.destroy();
  kept.peer.destroy();
  server.close();
});

test("if the kernel's tables cannot be read, no connection is closed and polling stops", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let looks = 0;
  const peers = lostPeers(async () => {
    looks += 1;
    throw new Error("ENOENT");
  });
  const server = createServer((own) => peers.watch(own));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const accepted = once(server, "connection");
  const peer = connect((server.address() as { port: number }).port, "127.0.0.1");
  await accepted;
  vi.advanceTimersByTime(5_000);
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(20_000);
  expect(looks).toBe(1);
  peer.destroy();
  server.close();
});
