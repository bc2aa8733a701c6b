import { createContext, Script } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Stack, startStack } from "./support/stack.js";

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
}, 60_000);
afterAll(() => stack.close());

/** The configuration that the page passes to the script of the reference. */
function configurationIn(html: string): Record<string, unknown> {
  const [, attribute = "{}"] = /data-configuration="([^"]*)"/.exec(html) ?? [];
  return JSON.parse(attribute.replaceAll("&quot;", '"')) as Record<string, unknown>;
}

describe("the reference page", () => {
  test("needs no key, shows this service's own OpenAPI document and refers to no other service", async () => {
    const { status, headers, body } = await stack.get("/docs", {});
    const html = String(body);
    expect([status, headers["Content-Type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(configurationIn(html)).toMatchObject({ url: "/openapi.json", withDefaultFonts: false, telemetry: false });
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(["/openapi.json", "/docs/js/scalar.js"]);
    expect(html).not.toMatch(/https?:/);
  });

  test("has no inline script, so that a strict content security policy can apply", async () => {
    const html = String((await stack.get("/docs", {})).body);
    const inline = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text]) => text);
    expect(inline).toEqual(["", ""]);
  });

  test("is rendered by a script of this service that a browser can parse", async () => {
    const { status, headers, body } = await stack.get("/docs/js/scalar.js", {});
    expect([status, headers["Content-Type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
    const script = String(body);
    expect(script).toContain('querySelector("#api-reference[data-configuration]")');
    expect(new Script(script).runInContext.bind(createContext())).toBeTypeOf("function");
  });
});
