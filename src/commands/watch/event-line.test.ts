import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import type { ChangeLog } from "../../contract/change-log.js";
import { OperatorError } from "../../kit/operator-error.js";
import { readEvent } from "./event-line.js";

const entry = Type.Object({ position: Type.Integer(), name: Type.String() });
const log: ChangeLog<typeof entry> = {
  event: "thing.changed",
  description: "A thing changed.",
  scope: "read",
  isPerAccount: false,
  entry,
  subject: "name",
  facets: {},
  line: ({ name }) => `${name} changed`,
};

const read = (event: string, data: unknown, isJson = false) =>
  readEvent({ event, data: typeof data === "string" ? data : JSON.stringify(data), lastEventId: "" }, log, isJson);

describe("an event of a stream", () => {
  const change = { position: 7, name: "a\nb\u001b[2J", nextCursor: "c" };

  test("is one line for people, without control characters", () => {
    expect(read("thing.changed", change)).toEqual({ position: 7, isChange: true, text: "7  a b [2J changed" });
  });

  test("is one line of JSON with its type", () => {
    const line = read("thing.changed", change, true);
    expect(line).toEqual({
      position: 7,
      isChange: true,
      text: JSON.stringify({ type: "thing.changed", data: change }),
    });
  });

  test("of a form that this version does not know is shown as it is", () => {
    expect(read("thing.changed", { position: 7 })).toMatchObject({ text: '7  thing.changed {"position":7}' });
    expect(read("thing.added", { position: 7 })).toMatchObject({
      isChange: false,
      text: '7  thing.added {"position":7}',
    });
  });

  test("tells the beginning of a connection, with the remark that it may carry", () => {
    expect(read("ready", { position: 7, pollState: "CURRENT" })).toEqual({ position: 7, line: undefined });
    expect(read("ready", { position: 7, pollState: "SNAPSHOT_REQUIRED" })).toEqual({
      position: 7,
      line: {
        position: 7,
        isChange: false,
        text: "7  snapshot_required: what the changes are about has changed; list it again",
      },
    });
  });

  test("tells in JSON that what the changes are about has changed", () => {
    const data = { position: 7, pollState: "SNAPSHOT_REQUIRED", nextCursor: "c" };
    const text = JSON.stringify({ type: "snapshot_required", data });
    expect(read("snapshot_required", data, true)).toEqual({ position: 7, isChange: false, text });
    expect(read("ready", data, true)).toMatchObject({ line: { text } });
  });

  test.each(["", "<html>", "null", "[]", "{}", '{"position":"7"}'])("with other data is refused: %j", (data) => {
    expect(() => read("thing.changed", data)).toThrow(OperatorError);
  });
});
