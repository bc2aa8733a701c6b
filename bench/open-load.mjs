// A separate process that sends requests at a given rate, regardless of the answer times. A request takes an idle
// connection or opens a new one. If all `connectionsMax` connections are busy, the request is not sent and counts as
// unsent. The parent process sends the message { port, perSecond, seconds, connectionsMax, addresses, kinds: [{ name,
// weight, requests }] } and receives a message with the result. `{n}` in a request is replaced by a number unique to
// each request within this process.
import { connect } from "node:net";

const TICK_MS = 1;
/** Latencies are counted in buckets of this width. */
const BUCKET_MS = 0.5;
const BUCKETS = 40_000;

process.on("message", async (task) => {
  process.send?.(await run(task));
});
process.send?.("ready");

class Kind {
  statuses = {};
  sent = 0;
  unsent = 0;
  lost = 0;
  accepted = new Uint32Array(BUCKETS);

  constructor({ name, weight, requests }) {
    this.name = name;
    this.weight = weight;
    this.requests = requests;
  }

  answered(status, ms) {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status < "400") this.accepted[Math.min(BUCKETS - 1, Math.floor(ms / BUCKET_MS))] += 1;
  }

  summary() {
    const count = this.accepted.reduce((sum, number) => sum + number, 0);
    const { name, sent, unsent, lost, statuses } = this;
    return {
      name,
      sent,
      unsent,
      lost,
      statuses,
      accepted: count,
      p50: this.at(0.5),
      p99: this.at(0.99),
      max: this.at(1),
    };
  }

  at(share) {
    const total = this.accepted.reduce((sum, number) => sum + number, 0);
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      seen += this.accepted[bucket];
      if (total > 0 && seen >= share * total) return (bucket + 1) * BUCKET_MS;
    }
    return null;
  }
}

function run({ port, perSecond, seconds, connectionsMax, addresses = 1, kinds: described }) {
  const kinds = described.map((kind) => new Kind(kind));
  const deck = kinds.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
  const idle = [];
  let open = 0;
  let number = Date.now() % 1_000_000_000;
  let due = 0;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const tick = () => {
      const elapsed = performance.now() - startedAt;
      const target = Math.min(elapsed / 1_000, seconds) * perSecond;
      for (; due < target; due += 1) send(deck[due % deck.length]);
      if (elapsed < seconds * 1_000) setTimeout(tick, TICK_MS);
      else setTimeout(finish, 2_000);
    };

    function send(kind) {
      const connection = idle.pop() ?? (open < connectionsMax ? opened() : undefined);
      if (connection === undefined) {
        kind.unsent += 1;
        return;
      }
      kind.sent += 1;
      number += 1;
      const text = kind.requests[number % kind.requests.length];
      connection.ask(kind, text.replace("{n}", String(number)));
    }

    function opened() {
      open += 1;
      const localAddress = `127.0.0.${1 + (open % addresses)}`;
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket.setNoDelay(true);
      let current;
      let sentAt = 0;
      let left = 0;
      let head = "";
      const done = () => {
        current = undefined;
        idle.push(connection);
      };
      const connection = {
        socket,
        ask(kind, text) {
          current = kind;
          sentAt = performance.now();
          socket.write(text);
        },
      };
      socket.on("data", (chunk) => {
        if (current === undefined) return;
        if (left > 0) {
          left -= chunk.length;
          if (left <= 0) done();
          return;
        }
        head += chunk.latin1Slice();
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        const at = head.indexOf("\r\nContent-Length: ");
        const length = at < 0 || at > end ? 0 : Number.parseInt(head.slice(at + 18, at + 30), 10);
        current.answered(head.slice(9, 12), performance.now() - sentAt);
        left = end + 4 + length - head.length;
        head = "";
        if (left <= 0) {
          left = 0;
          done();
        }
      });
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open -= 1;
        if (current !== undefined) current.lost += 1;
        const place = idle.indexOf(connection);
        if (place >= 0) idle.splice(place, 1);
      });
      return connection;
    }

    function finish() {
      for (const { socket } of idle) socket.destroy();
      resolve({ seconds, kinds: kinds.map((kind) => kind.summary()) });
      // Connections still awaiting a response are closed when the process ends.
    }
    tick();
  });
}
