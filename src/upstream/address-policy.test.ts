import { describe, expect, it } from "vitest";
import { publicLookup, type Resolve, refusalOf } from "./address-policy.js";
import { localClient, requestTo, serveAlways } from "./testing/local-servers.js";

const nowhere: ReadonlySet<string> = new Set();

describe("refusalOf", () => {
  it.each(["http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/", "http://[::1]/", "http://[::ffff:127.0.0.1]/"])(
    "refuses the private address %s",
    (url) => expect(refusalOf(new URL(url), nowhere)).toContain("is not a public address"),
  );

  it.each(["http://localhost/", "https://LOCALHOST./", "http://db.localhost/"])("refuses the local name %s", (url) =>
    expect(refusalOf(new URL(url), nowhere)).toContain("is not a public address"),
  );

  it.each(["ftp://example.org/", "file:///etc/passwd", "data:text/plain,x"])("refuses the scheme of %s", (url) =>
    expect(refusalOf(new URL(url), nowhere)).toContain("expected http or https"),
  );

  it("lets an allowed origin pass, but not another port of the same host", () => {
    const allowed = new Set(["http://10.0.0.5:8080"]);
    expect(refusalOf(new URL("http://10.0.0.5:8080/x"), allowed)).toBeUndefined();
    expect(refusalOf(new URL("http://10.0.0.5/x"), allowed)).toBeDefined();
  });
});

describe("a name that resolves to a private address", () => {
  const addresses = { ipv4: "127.0.0.1", mapped: "::ffff:127.0.0.1", ipv6: "::1", metadata: "169.254.169.254" };

  it.each(Object.entries(addresses))("is refused when the connection opens (%s)", async (_name, address) => {
    const server = await serveAlways(200, {}, "secret of the machine");
    const resolve: Resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    const { client } = localClient([], { resolve });
    await expect(client.fetch(requestTo(`${server.origin("rebound.test")}/`))).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("rebound.test is not a public address"),
    });
    expect(server.requests).toHaveLength(0);
  });

  it("a private address is skipped if the name also has public ones", async () => {
    const resolved = ["10.0.0.1", "8.8.8.8", "::1"].map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4,
    }));
    const lookup = publicLookup(async () => resolved);
    const all = await new Promise((resolve) =>
      lookup("mixed.test", { all: true }, (_error, addresses) => resolve(addresses)),
    );
    expect(all).toEqual([{ address: "8.8.8.8", family: 4 }]);
    const single = await new Promise((resolve) => lookup("mixed.test", {}, (_error, ...address) => resolve(address)));
    expect(single).toEqual(["8.8.8.8", 4]);
  });
});

it("an invalid address, or one with credentials, is refused without being repeated in the message", async () => {
  const { client } = localClient([]);
  await expect(client.fetch(requestTo("nonsense"))).rejects.toThrow("the address does not parse");
  const failing = client.fetch(requestTo("https://user:hunter22@example.org/"));
  await expect(failing).rejects.toThrow("the address contains a user name");
  await expect(failing).rejects.not.toThrow("hunter22");
});
