import { connect } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");

/** Sends GETs one after another on one connection. Returns the bytes of each answer, as `curl -si` prints them. */
export async function savedOverHttp(
  address: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  count = 1,
): Promise<readonly Buffer[]> {
  const { hostname, port } = new URL(address);
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  const answers: Buffer[] = [];
  let received = Buffer.alloc(0);
  const ask = (): boolean => socket.write(`GET ${target} HTTP/1.1\r\n${lines.join("")}\r\n`);
  ask();
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      const length = lengthOf(received);
      if (length === undefined || received.length < length) continue;
      answers.push(received.subarray(0, length));
      received = received.subarray(length);
      if (answers.length === count) return answers;
      ask();
    }
  } finally {
    socket.destroy();
  }
  throw new Error(`the connection ended after ${answers.length} of ${count} answers`);
}

/** The length of the first answer in bytes, computed from its head; undefined until the head is complete. */
function lengthOf(received: Buffer): number | undefined {
  const end = received.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = received.toString("latin1", 0, end);
  const content = /^HTTP\/1\.1 304/.test(head) ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
  return end + HEAD_END.length + content;
}
