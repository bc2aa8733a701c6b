import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { OutwardFailure } from "../../../contract/outward.js";
import { MINUTE_MS, SECOND_MS } from "../../../kit/clock.js";
import { seededRandom } from "../../../kit/random.js";
import { expireDeliveries } from "./expire.js";
import { fanOut } from "./fan-out.js";
import { sendDue } from "./send-due.js";
import { fakePost, memoryLog, type Received, webhookNode } from "./testing/webhook-node.js";

const SUBJECTS = 5;
const ROUNDS = 20;
const CHANGES_PER_ROUND = 4;
const NODES = 2;

class Killed extends Error {}

await describeEachStore((open) => {
  test("if nodes are killed, no change is lost, repeated messages keep their ids, and each subject keeps its order", async () => {
    const store = await open();
    const random = seededRandom(18);
    const log = memoryLog();
    const first = await webhookNode(store.database);
    const { clock } = first;
    await first.create();
    let isDangerous = true;
    /** Sometimes fails a statement or an attempt, as if the process died there. */
    const danger = (): void => {
      if (isDangerous && random() < 0.03) throw new Killed();
    };
    const nodes = await Promise.all(
      Array.from({ length: NODES }, async (_, at) => {
        const database = await store.openAgain();
        const node = await webhookNode(database, { clock, seed: at + 1 });
        const db = database.db.withPlugin({
          transformQuery: ({ node: query }) => {
            danger();
            return query;
          },
          transformResult: async ({ result }) => {
            danger();
            return result;
          },
        });
        return { ...node.parts, database: { ...database, db } };
      }),
    );
    const received: Received[] = [];
    const post = fakePost(clock, (message) => {
      danger();
      const luck = random();
      if (luck < 0.2) throw new OutwardFailure("no connection (ECONNRESET)");
      if (luck < 0.3) return 500;
      received.push(message);
      // With 502, the receiver seems to fail, although it has accepted the message.
      return luck < 0.4 ? 502 : 200;
    });
    const never = new AbortController().signal;
    const survive = (work: Promise<unknown>): Promise<unknown> =>
      work.catch((fault: unknown) => {
        const faults = fault instanceof AggregateError ? fault.errors : [fault];
        if (!faults.every((error) => error instanceof Killed)) throw fault;
      });
    const round = async (): Promise<void> => {
      await Promise.all(
        nodes.map(async (parts) => {
          await survive(fanOut(parts, [log], never));
          await survive(sendDue(parts, { post, signal: never }));
          await survive(expireDeliveries(parts, never));
        }),
      );
      clock.advance(20 * SECOND_MS);
    };

    for (let rounds = 0; rounds < ROUNDS; rounds += 1) {
      for (let change = 0; change < CHANGES_PER_ROUND; change += 1) log.add(`s${Math.floor(random() * SUBJECTS)}`);
      await round();
    }
    isDangerous = false;
    for (let rounds = 0; rounds < 400 && (await pending()) > 0; rounds += 1) {
      clock.advance(5 * MINUTE_MS);
      await round();
    }

    async function pending(): Promise<number> {
      const [endpoint] = await first.inCall(({ endpoints }) => endpoints.list());
      return endpoint?.pendingCount ?? 0;
    }
    expect(await pending()).toBe(0);
    const changes = ROUNDS * CHANGES_PER_ROUND;
    expect(await first.states()).toHaveLength(changes);
    const idOf = new Map(received.map(({ id, data }) => [data.position, id]));
    expect([...idOf.keys()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: changes }, (_, at) => at + 1));
    expect(new Set(received.map(({ id }) => id)).size).toBe(changes);
    for (const { id, data } of received) expect(idOf.get(data.position)).toBe(id);
    for (let subject = 0; subject < SUBJECTS; subject += 1) {
      const positions = received.flatMap(({ data }) => (data.subject === `s${subject}` ? [data.position] : []));
      expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    }
    // Without repeated messages, this test would prove nothing.
    expect(received.length).toBeGreaterThan(changes);
  });
});
