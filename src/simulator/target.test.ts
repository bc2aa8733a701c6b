import { expect, test } from "vitest";
import { upstreamUrlOf } from "./target.js";

test.each([
  ["/a.org/x/y?z=1&w=%2F", "https://a.org/x/y?z=1&w=%2F"],
  ["/a.org", "https://a.org/"],
  ["/a.org:8443/x", "https://a.org:8443/x"],
  ["/a.org/../b.org/x", "https://a.org/b.org/x"],
])("the target %s names the address %s", (target, url) => {
  expect(upstreamUrlOf(target)?.href).toBe(url);
});

test.each(["/", "/nohost/x", "//a.org/x", "/user@a.org/x", "http://a.org/x", "*", "/a.org:999999/x"])(
  "the target %s names no upstream",
  (target) => {
    expect(upstreamUrlOf(target)).toBeUndefined();
  },
);
