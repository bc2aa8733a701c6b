import { describe, expect, it } from "vitest";
import { localClient, requestTo, serveAlways } from "./testing/local-servers.js";

describe("an address set by the operator", () => {
  const own = { isOperatorsOwn: true } as const;

  it("a private address set by the operator is requested; other requests to this address are refused", async () => {
    const server = await serveAlways(200, {}, "here");
    const { client } = localClient([]);
    const url = `http://127.0.0.1:${server.port}/`;
    expect((await client.fetch(requestTo(url, own))).bytes.toString()).toBe("here");
    expect((await client.fetch(requestTo(`${server.origin()}/`, own))).bytes.toString()).toBe("here");
    await expect(client.fetch(requestTo(url))).rejects.toThrow("is not a public address");
    expect(server.requests).toHaveLength(2);
  });

  it("an address set by the operator is not rewritten to the simulator", async () => {
    const server = await serveAlways(200, {}, "here");
    const simulator = await serveAlways(200, {}, "simulated");
    const { client } = localClient([], { rewriteBase: simulator.origin("127.0.0.1") });
    const { bytes } = await client.fetch(requestTo(`http://127.0.0.1:${server.port}/`, own));
    expect(bytes.toString()).toBe("here");
    expect(simulator.requests).toHaveLength(0);
  });

  it("a redirect from an address set by the operator gets no access to private addresses", async () => {
    const other = await serveAlways(200, {}, "there");
    const server = await serveAlways(302, { location: `http://127.0.0.1:${other.port}/` });
    const { client } = localClient([]);
    await expect(client.fetch(requestTo(`http://127.0.0.1:${server.port}/`, own))).rejects.toThrow(
      "is not a public address",
    );
    expect(other.requests).toHaveLength(0);
  });
});
