import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { texts } from "../contract/query-field.js";
import { type RegisteredStream, stream } from "../contract/stream.js";
import { parsed } from "./testing/parsed.js";
import { addWatch } from "./watch.js";

const registered: RegisteredStream = {
  service: "things",
  path: "/api/things/v1/stream-thing-changes",
  stream: stream({
    rpc: "stream-thing-changes",
    summary: "Changes of things",
    description: "Changes of things.",
    log: {
      event: "thing.changed",
      description: "A thing changed.",
      scope: "read",
      isPerAccount: false,
      entry: Type.Object({}),
      subject: "thingId",
      facets: { thingId: undefined, colour: ["red", "blue"] },
    },
    filters: { thingId: texts("Only these things"), colour: texts("Only these colours") },
  }),
};

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addWatch(root, [registered], called("watch")), ["watch", ...words]);

describe("vigil watch", () => {
  test("vigil watch has a command for each stream, with the filters of the stream", async () => {
    expect(await parse(["thing-changes"])).toEqual([["watch", registered, {}]]);
    const words = ["--thing-id", "a", "--thing-id", "b,c", "--colour", "red", "--from", "7", "--count", "2", "--json"];
    expect(await parse(["thing-changes", ...words, "--demo"])).toEqual([
      ["watch", registered, { thingId: "a,b,c", colour: "red", from: "7", count: 2, json: true, demo: true }],
    ]);
  });

  test.each(["0", "-1", "1.5", "many"])("vigil watch refuses the count %s", async (count) => {
    expect(await parse(["thing-changes", "--count", count])).toMatch(/whole number of at least 1/);
  });

  test("the help of a stream's command explains filters, values and exit codes", async () => {
    const help = await parse(["thing-changes", "--help"]);
    expect(help).toMatch(/--thing-id <values> +Only these things/);
    expect(help).toMatch(/: red,\s+blue/);
    expect(help).toContain("vigil watch thing-changes --colour blue --count 1");
    expect(help).toContain("Exit codes: 0");
  });

  test("vigil watch follows no stream when none is named, and lists the streams in its help", async () => {
    expect(await parse([])).toEqual([]);
    expect(await parse(["--help"])).toMatch(/thing-changes \[options\] +Changes of things/);
  });
});
