import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { localClient, requestTo, serve, serveAlways } from "./testing/local-servers.js";

describe("an answer", () => {
  it("an answer has the body with its hash, times, type and validators", async () => {
    const headers = { "content-type": "text/csv", etag: '"1"', "last-modified": "Fri, 20 Nov 2026 10:00:00 GMT" };
    const server = await serveAlways(200, headers, "a,b\n1,2\n");
    const { client, clock } = localClient([server.origin()]);
    const answer = await client.fetch(requestTo(`${server.origin()}/data.csv?series=1#part`));
    expect(answer).toMatchObject({
      url: `${server.origin()}/data.csv?series=1`,
      via: undefined,
      status: 200,
      notModified: false,
      contentType: "text/csv",
      etag: '"1"',
      lastModified: "Fri, 20 Nov 2026 10:00:00 GMT",
      sha256: createHash("sha256").update("a,b\n1,2\n").digest("hex"),
      fetchedAt: clock.now(),
      simulated: false,
    });
    expect(answer.bytes.toString()).toBe("a,b\n1,2\n");
    expect(answer.durationMs).toBeGreaterThan(0);
  });

  it("a request has the client's user agent, the request's own headers and the accepted encodings", async () => {
    const server = await serveAlways(200, {}, "x");
    const { client } = localClient([server.origin()]);
    await client.fetch(requestTo(`${server.origin()}/`, { headers: { Accept: "text/plain" } }));
    expect(server.requests[0]?.headers).toMatchObject({
      "user-agent": "vigil-test/1.0 (+https://example.org)",
      accept: "text/plain",
      "accept-encoding": "gzip, br, deflate",
    });
  });

  it("a 206 is accepted only for a range request", async () => {
    const server = await serveAlways(206, { "content-range": "bytes 0-1/9" }, "ab");
    const { client } = localClient([server.origin()]);
    const part = await client.fetch(requestTo(`${server.origin()}/`, { headers: { Range: "bytes=0-1" } }));
    expect([part.status, part.bytes.toString()]).toEqual([206, "ab"]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("answered 206; expected 200");
  });
});

describe("a conditional request", () => {
  const validators = { etag: '"7"', lastModified: "Fri, 20 Nov 2026 10:00:00 GMT" };

  it("a conditional request sends both validators, and the answer repeats them if the 304 has none", async () => {
    const server = await serveAlways(304);
    const { client } = localClient([server.origin()]);
    const answer = await client.fetch(requestTo(`${server.origin()}/`), { validators });
    expect(server.requests[0]?.headers).toMatchObject({
      "if-none-match": '"7"',
      "if-modified-since": "Fri, 20 Nov 2026 10:00:00 GMT",
    });
    expect(answer).toMatchObject({ status: 304, notModified: true, ...validators });
    expect(answer.bytes.length).toBe(0);
  });

  it("a 304 is accepted only for a conditional request", async () => {
    const server = await serveAlways(304);
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("answered 304; expected 200");
  });
});

describe("rewritten addresses", () => {
  it("rewritten requests go to the base with the host as the first path segment, and secrets appear only on the wire", async () => {
    const server = await serveAlways(200, {}, "recorded");
    const { client } = localClient([], { rewriteBase: `http://127.0.0.1:${server.port}/` });
    const answer = await client.fetch(
      requestTo("https://api.example.org/v1/rows?year=2026", { secretQuery: { api_key: "s3cret-value" } }),
    );
    expect(answer.url).toBe("https://api.example.org/v1/rows?year=2026");
    expect(answer.via).toBe(`http://127.0.0.1:${server.port}/api.example.org/v1/rows?year=2026`);
    expect(server.requests[0]?.url).toBe("/api.example.org/v1/rows?year=2026&api_key=s3cret-value");
  });

  it("the target of a redirect is rewritten like the first address", async () => {
    const server = await serve(({ url }, response) => {
      if (url === "/a.org/old") response.writeHead(301, { location: "/new" }).end();
      else if (url === "/a.org/new") response.writeHead(302, { location: "https://b.org/there" }).end();
      else response.end(url);
    });
    const { client } = localClient([], { rewriteBase: `http://127.0.0.1:${server.port}` });
    expect((await client.fetch(requestTo("https://a.org/old"))).bytes.toString()).toBe("/b.org/there");
  });

  it("rewriting allows no private address except the base", async () => {
    const server = await serveAlways(200, {}, "x");
    const { client } = localClient([], { rewriteBase: `http://127.0.0.1:${server.port}` });
    await expect(client.fetch(requestTo("http://127.0.0.1:1/"))).rejects.toThrow("is not a public address");
  });
});

describe("simulated answers", () => {
  it("simulated answers, including redirects and errors, are refused where real data is stored", async () => {
    for (const status of [200, 302, 500]) {
      const server = await serveAlways(status, { "x-vigil-simulated": "1", location: "/" }, "x");
      const { client } = localClient([server.origin()]);
      const failing = client.fetch(requestTo(`${server.origin()}/`));
      await expect(failing).rejects.toMatchObject({ name: "SourceFailure", kind: "unavailable" });
      await expect(failing).rejects.toThrow("simulated data never enters a store of real data");
    }
  });

  it("simulated answers are accepted in a demo, and marked as simulated", async () => {
    const server = await serveAlways(200, { "x-vigil-simulated": "1" }, "x");
    const { client } = localClient([server.origin()], { acceptSimulated: true });
    expect((await client.fetch(requestTo(`${server.origin()}/`))).simulated).toBe(true);
  });
});

describe("failing statuses", () => {
  it.each([204, 400, 403, 404, 500, 503])(
    "a status %i fails as unavailable, with host and path in the message",
    async (status) => {
      const server = await serveAlways(status);
      const { client } = localClient([server.origin()]);
      await expect(client.fetch(requestTo(`${server.origin()}/rows?x=1`))).rejects.toMatchObject({
        name: "SourceFailure",
        kind: "unavailable",
        status,
        message: `feeds.test:${server.port}/rows: answered ${status}; expected 200`,
      });
      expect(server.requests).toHaveLength(1);
    },
  );
});

it("calls after `close` fail as unavailable", async () => {
  const server = await serveAlways(200, { "content-encoding": "gzip" }, gzipSync("x"));
  const { client } = localClient([server.origin()]);
  await client.fetch(requestTo(`${server.origin()}/`));
  await client.close();
  await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toMatchObject({ kind: "unavailable" });
});
