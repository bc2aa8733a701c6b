import { request } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import type { ReceivedPost } from "../../contract/service-command.js";
import { receivePosts } from "./receive-posts.js";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A receiver on a free port, with the posts that it received. */
async function receiving(onPost: (post: ReceivedPost) => number = () => 204) {
  const posts: ReceivedPost[] = [];
  const stop = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const origin = await new Promise<string>((onListening, reject) => {
    const receiver = {
      host: "127.0.0.1",
      port: 0,
      onListening,
      onPost(post: ReceivedPost) {
        posts.push(post);
        return onPost(post);
      },
    };
    ended = receivePosts(receiver, { now: () => 7 }, stop.signal);
    ended.catch(reject);
  });
  stops.push(async () => {
    stop.abort();
    await ended.catch(() => undefined);
  });
  return { origin, posts, stop, ended };
}

const post = (origin: string, body: string): Promise<Response> => fetch(origin, { method: "POST", body });

describe("a receiver of posts", () => {
  test("a receiver passes on headers and body, and answers with the returned status", async () => {
    const { origin, posts } = await receiving(() => 503);
    const answer = await fetch(`${origin}/any`, { method: "POST", body: "Zoë", headers: { "Webhook-Id": "msg_1" } });
    expect(answer.status).toBe(503);
    expect(posts).toMatchObject([{ body: "Zoë", headers: { "webhook-id": "msg_1" }, receivedAt: 7 }]);
  });

  test("a receiver takes a body of a megabyte and does not read a larger one", async () => {
    const { origin, posts } = await receiving((received) => (received.body === undefined ? 413 : 204));
    expect((await post(origin, "x".repeat(1_000_000))).status).toBe(204);
    const status = await new Promise((resolve, reject) => {
      // A caller that keeps sending until it gets an answer.
      const endless = request(origin, { method: "POST" }, (answer) => {
        resolve(answer.statusCode);
        answer.resume();
        endless.destroy();
      });
      endless.on("error", reject);
      const send = (): void => {
        if (!endless.destroyed) endless.write("x".repeat(100_000), () => setImmediate(send));
      };
      send();
    });
    expect([status, posts.map(({ body }) => body?.length)]).toEqual([413, [1_000_000, undefined]]);
  });

  test("a receiver refuses methods other than POST", async () => {
    const { origin, posts } = await receiving();
    expect([(await fetch(origin)).status, posts]).toEqual([405, []]);
  });

  test("a receiver ends when it is stopped, even if callers keep connections open", async () => {
    const { origin, stop, ended } = await receiving();
    await post(origin, "a");
    stop.abort();
    await ended;
    await expect(post(origin, "b")).rejects.toThrow();
  });

  test("a receiver rejects with the error that `onPost` throws", async () => {
    const { origin, ended } = await receiving(() => {
      throw new Error("broken");
    });
    post(origin, "a").catch(() => undefined);
    await expect(ended).rejects.toThrow("broken");
  });

  test("if the address is in use, a receiver rejects with an error that names the address", async () => {
    const { origin } = await receiving();
    const { port } = new URL(origin);
    const receiver = { host: "127.0.0.1", port: Number(port), onListening: () => undefined, onPost: () => 204 };
    await expect(receivePosts(receiver, { now: () => 7 }, new AbortController().signal)).rejects.toThrow(
      `127.0.0.1:${port} is in use by another program; choose another --host or --port`,
    );
  });
});
