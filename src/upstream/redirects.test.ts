import { describe, expect, it } from "vitest";
import { localClient, requestTo, serve, serveAlways } from "./testing/local-servers.js";

const secrets = { secretQuery: { key: "query-s3cret" }, secretHeaders: { Authorization: "Bearer header-s3cret" } };

describe("redirects", () => {
  it("redirects within the origin keep the secrets, and do not repeat a secret that Location already contains", async () => {
    const server = await serve(({ url }, response) => {
      if (url?.startsWith("/old")) response.writeHead(301, { location: "/new?key=query-s3cret" }).end("moved");
      else response.end(url);
    });
    const { client } = localClient([server.origin()]);
    const answer = await client.fetch(requestTo(`${server.origin()}/old?a=1`, secrets));
    expect(answer.bytes.toString()).toBe("/new?key=query-s3cret");
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill("Bearer header-s3cret"));
    expect(answer.url).toBe(`${server.origin()}/old?a=1`);
  });

  it("redirects to another origin drop secrets and credentials, including those that the server put into the redirect's query", async () => {
    const other = await serveAlways(200, {}, "there");
    const server = await serveAlways(302, { location: `${other.origin("other.test")}/x?key=query-s3cret&b=2` });
    const { client } = localClient([server.origin(), other.origin("other.test")]);
    const headers = { Cookie: "session=1" };
    await client.fetch(requestTo(`${server.origin()}/`, { ...secrets, headers }));
    expect(other.requests[0]?.url).toBe("/x?b=2");
    expect(other.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(other.requests[0]?.headers).not.toHaveProperty("cookie");
  });

  it("redirects to another origin are refused if the target has a secret outside its query", async () => {
    const other = await serveAlways(200, {}, "there");
    const server = await serveAlways(302, { location: `${other.origin("other.test")}/header-s3cret` });
    const { client } = localClient([server.origin(), other.origin("other.test")]);
    await expect(client.fetch(requestTo(`${server.origin()}/`, secrets))).rejects.toThrow(
      "with a secret in the address",
    );
    expect(other.requests).toHaveLength(0);
  });

  it.each([
    ["http://127.0.0.1:1/", "is not a public address"],
    ["http://[::1]:1/", "is not a public address"],
    ["http://169.254.169.254/latest/meta-data", "is not a public address"],
    ["http://rebound.test/", "is not a public address"],
    ["file:///etc/passwd", "expected http or https"],
    ["http://", "redirects to no address"],
  ])("redirects to %s are refused", async (location, sentence) => {
    const server = await serveAlways(302, { location });
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining(sentence),
    });
  });

  it("a circular redirect is followed five times and then fails", async () => {
    const server = await serveAlways(307, { location: "/" });
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("redirected more than 5 times");
    expect(server.requests).toHaveLength(6);
  });

  it("redirects without Location are a failure", async () => {
    const server = await serveAlways(302);
    const { client } = localClient([server.origin()]);
    await expect(client.fetch(requestTo(`${server.origin()}/`))).rejects.toThrow("answered 302 without Location");
  });
});
