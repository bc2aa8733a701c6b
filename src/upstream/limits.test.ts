import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { localClient, requestTo, serve, serveAlways, signalled } from "./testing/local-servers.js";

const MIB = 1024 * 1024;

describe("the time limit", () => {
  it.each(["before its headers", "within the body", "within a redirect"])(
    "a call whose answer stops %s fails at the time limit",
    async (where) => {
      const { happened, tell } = signalled();
      const server = await serve((_request, response) => {
        if (where === "within the body") response.write("begun");
        if (where === "within a redirect") response.writeHead(302, { location: "/next" }).write("moved");
        tell();
      });
      const { client, clock } = localClient([server.origin()]);
      const failing = client.fetch(requestTo(`${server.origin()}/slow`, { timeoutMs: 5_000 }));
      const failed = expect(failing).rejects.toMatchObject({
        kind: "unavailable",
        message: `feeds.test:${server.port}/slow: no complete answer within 5000 ms; expected one`,
      });
      await happened;
      clock.advance(5_000);
      await failed;
    },
  );

  it("the default time limit is 30 seconds, and its timer ends with the answer", async () => {
    const { happened, tell } = signalled();
    const server = await serve(({ url }, response) => (url === "/slow" ? tell() : response.end("x")));
    const { client, clock } = localClient([server.origin()]);
    await client.fetch(requestTo(`${server.origin()}/`));
    expect(clock.sleeping).toBe(0);
    const failed = expect(client.fetch(requestTo(`${server.origin()}/slow`))).rejects.toThrow("within 30000 ms");
    await happened;
    clock.advance(29_999);
    expect(clock.sleeping).toBe(1);
    clock.advance(1);
    await failed;
  });
});

describe("a caller that gives up", () => {
  it("a caller that cancels gets a failure immediately, with the reason", async () => {
    const { happened, tell } = signalled();
    const server = await serve(() => tell());
    const { client } = localClient([server.origin()]);
    const leaving = new AbortController();
    const failing = client.fetch(requestTo(`${server.origin()}/`), { signal: leaving.signal });
    const failed = expect(failing).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("cancelled by the caller (shutting down)"),
    });
    await happened;
    leaving.abort(new Error("shutting down"));
    await failed;
  });

  it("a call that is cancelled before it starts sends nothing", async () => {
    const server = await serveAlways(200, {}, "x");
    const { client } = localClient([server.origin()]);
    const signal = AbortSignal.abort();
    await expect(client.fetch(requestTo(`${server.origin()}/`), { signal })).rejects.toThrow("cancelled by the caller");
    expect(server.requests).toHaveLength(0);
  });
});

describe("the size limit", () => {
  const bytesMax = 1_000;
  const tooLarge = "the body is larger than 1000 bytes; expected at most that";

  it("a body of exactly the maximum size is accepted, and one byte more is refused, with or without Content-Length", async () => {
    const server = await serve(({ url }, response) => {
      const body = Buffer.alloc(url === "/fits" ? bytesMax : bytesMax + 1);
      if (url === "/unsaid") response.write(body.subarray(0, 1));
      response.end(url === "/unsaid" ? body.subarray(1) : body);
    });
    const { client } = localClient([server.origin()]);
    expect((await client.fetch(requestTo(`${server.origin()}/fits`, { bytesMax }))).bytes.length).toBe(bytesMax);
    await expect(client.fetch(requestTo(`${server.origin()}/said`, { bytesMax }))).rejects.toThrow(tooLarge);
    await expect(client.fetch(requestTo(`${server.origin()}/unsaid`, { bytesMax }))).rejects.toThrow(tooLarge);
  });

  it("an endless body is cut off at the limit", async () => {
    const { happened, tell } = signalled();
    const server = await serve((_request, response) => {
      response.on("close", tell);
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(64 * 1024), more));
      more();
    });
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`, { bytesMax: MIB }))).rejects.toThrow("larger than");
    await happened;
  });

  const bomb = Buffer.alloc(64 * MIB);
  it.each([
    ["gzip", gzipSync(bomb)],
    ["br", brotliCompressSync(bomb, { params: { 1: 1 } })],
    ["deflate", deflateSync(bomb)],
    ["gzip, gzip", gzipSync(gzipSync(bomb))],
  ])("a %s bomb that unpacks to 64 MiB is refused", async (encoding, body) => {
    const server = await serveAlways(200, { "content-encoding": encoding }, body);
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("larger than 33554432 bytes");
  });
});

describe("compression", () => {
  it.each([
    ["gzip", gzipSync("hello")],
    ["GZIP", gzipSync("hello")],
    ["br", brotliCompressSync("hello")],
    ["deflate", deflateSync("hello")],
    ["deflate", deflateRawSync("hello")],
    ["identity", Buffer.from("hello")],
    ["gzip, br", brotliCompressSync(gzipSync("hello"))],
  ])("a body with the content encoding %s is decompressed", async (encoding, body) => {
    const server = await serveAlways(200, { "content-encoding": encoding }, body);
    const { client } = localClient([server.origin()]);
    expect((await client.fetch(requestTo(`${server.origin()}/`))).bytes.toString()).toBe("hello");
  });

  it.each(["zstd", "gzip, gzip, gzip"])("a body with the content encoding %s is a failure", async (encoding) => {
    const server = await serveAlways(200, { "content-encoding": encoding }, "x");
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("expected gzip, br or deflate");
  });
});

describe("a body that breaks off is a failure", () => {
  it("a body shorter than its Content-Length is a failure", async () => {
    const server = await serve(({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort"));
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("the body broke off");
    expect(server.requests).toHaveLength(1);
  });

  it("a body without its last chunk is a failure", async () => {
    const server = await serve((_request, response) => response.write("begun", () => void response.destroy()));
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("the body broke off");
  });

  it.each([
    ["gzip", gzipSync("hello hello hello")],
    ["br", brotliCompressSync("hello hello hello")],
    ["deflate", deflateSync("hello hello hello")],
  ])("a truncated %s body is a failure", async (encoding, body) => {
    const server = await serveAlways(200, { "content-encoding": encoding }, body.subarray(0, body.length - 4));
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("the body broke off");
  });
});

describe("a connection that breaks before the answer", () => {
  it("after a connection breaks before the answer, the request is retried once, immediately", async () => {
    const server = await serve(({ socket }, response) => {
      if (server.requests.length === 1) socket.destroy();
      else response.end("second");
    });
    const { client } = localClient([server.origin()]);
    expect((await client.fetch(requestTo(`${server.origin()}/`))).bytes.toString()).toBe("second");
  });

  it("a request whose retry also breaks off is a failure", async () => {
    const server = await serve(({ socket }) => void socket.destroy());
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("no connection (");
    expect(server.requests).toHaveLength(2);
  });

  it("a refused connection is a failure without a retry", async () => {
    const { client } = localClient(["http://feeds.test:1"]);
    await expect(client.fetch(requestTo("http://feeds.test:1/"))).rejects.toThrow("ECONNREFUSED");
  });
});
