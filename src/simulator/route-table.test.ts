import { expect, test } from "vitest";
import { routeTable } from "./route-table.js";
import type { SimulatedUpstream } from "./upstream.js";

function upstreamAt(name: string, host: string, ...paths: readonly string[]): SimulatedUpstream {
  const variants = { changed: String, empty: String, badRow: String };
  const handle = () => ({ status: 200, contentType: "text/plain", body: name });
  return { name, routes: paths.map((path) => ({ host, path, handle, variants })) };
}

const routeFor = (upstreams: readonly SimulatedUpstream[], url: string): string | undefined =>
  routeTable(upstreams).find(new URL(url))?.route.path;

test("the route table finds a route by host and exact path", () => {
  const upstreams = [upstreamAt("a", "a.org", "/feed"), upstreamAt("b", "b.org", "/feed")];
  expect(routeTable(upstreams).find(new URL("https://b.org/feed?x=1"))?.upstream.name).toBe("b");
  expect(routeFor(upstreams, "https://a.org/feed/more")).toBeUndefined();
  expect(routeFor(upstreams, "https://c.org/feed")).toBeUndefined();
});

test("a folder route matches everything below it, unless an exact path or a longer folder matches", () => {
  const upstreams = [upstreamAt("a", "a.org", "/*", "/api/*", "/api/exact")];
  expect(routeFor(upstreams, "https://a.org/")).toBe("/*");
  expect(routeFor(upstreams, "https://a.org/x/y")).toBe("/*");
  expect(routeFor(upstreams, "https://a.org/api/1/2")).toBe("/api/*");
  expect(routeFor(upstreams, "https://a.org/api/exact")).toBe("/api/exact");
});

test("two routes for one address are refused with an error that names both upstreams", () => {
  const twice = [upstreamAt("a", "a.org", "/feed"), upstreamAt("b", "a.org", "/feed")];
  expect(() => routeTable(twice)).toThrow('a.org/feed is simulated twice, by "a" and "b"');
});

test("two upstreams with one name are refused", () => {
  expect(() => routeTable([upstreamAt("a", "a.org", "/1"), upstreamAt("a", "a.org", "/2")])).toThrow('called "a"');
});
