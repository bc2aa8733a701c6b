import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, NOON, type Stack, startStack } from "./support/stack.js";

const CONTACT = "mailto:security@example.com";

let stack: Stack;
beforeAll(async () => {
  const env = {
    VIGIL_PUBLIC_URL: "https://vigil.example.com",
    VIGIL_SECURITY_CONTACT: `${CONTACT}, https://example.com/report`,
  };
  stack = await startStack({ env });
});
afterAll(() => stack.close());

describe("/.well-known/api-catalog", () => {
  interface Linkset {
    readonly linkset: readonly Readonly<Record<string, string | readonly { href: string; type: string }[]>>[];
  }

  test("is a linkset with the profile of RFC 9727, and its Link header gives its own address", async () => {
    const { status, headers } = await stack.get("/.well-known/api-catalog", {});
    expect(status).toBe(200);
    expect(headers["Content-Type"]).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"');
    expect(headers["Link"]).toBe('<https://vigil.example.com/.well-known/api-catalog>; rel="api-catalog"');
  });

  test("each link leads to a document that has the type named in the link", async () => {
    const { linkset } = json(await stack.get("/.well-known/api-catalog", {})) as Linkset;
    const [context = {}] = linkset;
    const { anchor, ...relations } = context;
    expect(anchor).toBe("https://vigil.example.com/api");
    expect(Object.keys(relations)).toEqual(["service-desc", "service-doc", "service-meta", "status"]);
    const links = Object.values(relations).flat() as readonly { href: string; type: string }[];
    for (const { href, type } of links) {
      const { origin, pathname, search } = new URL(href);
      expect(origin).toBe("https://vigil.example.com");
      const { status, headers } = await stack.get(pathname + search);
      expect({ href, status }).toEqual({ href, status: 200 });
      expect(headers["Content-Type"]).toContain(type);
    }
  });
});

describe("/.well-known/security.txt", () => {
  test("names the contacts and expires within a year by the clock of the service", async () => {
    const { status, headers, body } = await stack.get("/.well-known/security.txt", {});
    expect(status).toBe(200);
    expect(headers["Content-Type"]).toBe("text/plain; charset=utf-8");
    expect(String(body)).toBe(
      [
        `Contact: ${CONTACT}`,
        "Contact: https://example.com/report",
        `Expires: ${new Date(Date.UTC(2027, 4, 17)).toISOString()}`,
        "Preferred-Languages: en",
        "Canonical: https://vigil.example.com/.well-known/security.txt",
        "",
      ].join("\n"),
    );
    expect(Date.UTC(2027, 4, 17) - NOON).toBeLessThan(365 * 86_400_000);
  });

  test("is a 404 while no contact is set", async () => {
    const plain = await startStack({ datasets: [] });
    try {
      expect((await plain.get("/.well-known/security.txt", {})).status).toBe(404);
    } finally {
      await plain.close();
    }
  });
});
