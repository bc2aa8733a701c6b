import { describe, expect, test } from "vitest";
import { DataStateError, MalformedAnswerError, SnapshotRequiredError } from "./errors.js";
import { fakeService, gathered, json } from "./testing/fake-service.js";

const page = (ids: readonly string[], nextCursor: string, state = "ok"): Response =>
  json(
    { earthquakes: ids.map((id) => ({ id })), pagination: { nextCursor, totalCount: 3 } },
    { headers: { "X-Vigil-State": state } },
  );

describe("a list in pages", () => {
  test("a list yields every page with its metadata", async () => {
    const { vigil, requests } = fakeService([page(["a", "b"], "c1"), page(["c"], "", "stale")]);
    const pages = await gathered(vigil.seismology.listEarthquakes.pages({ pageSize: 2 }));
    expect(pages.map(({ state, data }) => [state, data.earthquakes.map(({ id }) => id)])).toEqual([
      ["ok", ["a", "b"]],
      ["stale", ["c"]],
    ]);
    expect(requests.map(({ target }) => target)).toEqual([
      "/api/seismology/v1/list-earthquakes?page_size=2",
      "/api/seismology/v1/list-earthquakes?page_size=2&cursor=c1",
    ]);
  });

  test("a list yields every row, and reads no further pages than the caller needs", async () => {
    const { vigil, requests } = fakeService([page(["a", "b"], "c1"), page(["c"], "")]);
    expect(await gathered(vigil.rows("list-earthquakes"))).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
    const before = requests.length;
    const { vigil: other, requests: read } = fakeService([page(["a", "b"], "c1")]);
    expect(await gathered(other.rows("list-earthquakes"), 2)).toHaveLength(2);
    expect([before, read.length]).toEqual([2, 1]);
  });

  test.each(["absent", "unreadable"])("a list throws for %s data unless the caller accepts it", async (state) => {
    const { vigil } = fakeService([page([], "", state)]);
    await expect(gathered(vigil.seismology.listEarthquakes.rows())).rejects.toBeInstanceOf(DataStateError);
    expect(await gathered(vigil.seismology.listEarthquakes.rows({}, { states: [state as "absent"] }))).toEqual([]);
  });

  test("a list continues if the cursor is a member of the answer itself, as in the lists of an account", async () => {
    const { vigil } = fakeService([
      json({ watches: [{ watchId: "w1" }], watchLimit: 9, nextCursor: "n" }),
      json({ watches: [{ watchId: "w2" }], watchLimit: 9, nextCursor: "" }),
    ]);
    expect(await gathered(vigil.watches.listWatches.rows())).toMatchObject([{ watchId: "w1" }, { watchId: "w2" }]);
  });

  test("a list throws if the service answers with the same page again", async () => {
    const { vigil } = fakeService([page(["a"], "c1")]);
    await expect(gathered(vigil.seismology.listEarthquakes.rows())).rejects.toBeInstanceOf(MalformedAnswerError);
  });

  test("a call without pages is refused", () => {
    const { vigil } = fakeService([json({})]);
    // @ts-expect-error: a call without pages
    expect(() => vigil.rows("get-us-cpi-monthly")).toThrow(new TypeError("get-us-cpi-monthly has no pages"));
  });
});

const poll = (positions: readonly number[], nextCursor: string, pollState = "CURRENT"): Response =>
  json({
    changes: positions.map((position) => ({ position })),
    nextCursor,
    pollState: `DATASET_POLL_STATE_${pollState}`,
  });

describe("polls for changes", () => {
  test("polls read on while there are changes, and wait at the end of the log", async () => {
    const { vigil, requests, waits } = fakeService([
      poll([1, 2], "c2"),
      poll([3], "c3"),
      poll([], "c3"),
      poll([4], "c4"),
    ]);
    const changes = vigil.datasets.listDatasetChanges.changes({ cursor: "c0" }, { everyMs: 9_000 });
    expect((await gathered(changes, 4)).map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(requests.map(({ target }) => target.replace(/.*cursor=/, ""))).toEqual(["c0", "c2", "c3", "c3"]);
    expect(waits.filter((ms) => ms === 9_000)).toHaveLength(1);
  });

  test("polls read on without a wait if a page of a filtered log is empty but its cursor has moved", async () => {
    const { vigil, waits } = fakeService([poll([], "c5"), poll([6], "c6")]);
    const changes = vigil.changes("list-dataset-changes", { cursor: "c0", dataset: ["us-cpi"] }, { everyMs: 9_000 });
    expect(await gathered(changes, 1)).toEqual([{ position: 6 }]);
    expect(waits).not.toContain(9_000);
  });

  test("polls yield every answer, so that the caller can keep its cursor", async () => {
    const { vigil } = fakeService([poll([], "c0"), poll([1], "c1")]);
    const answers = await gathered(vigil.datasets.listDatasetChanges.polls(), 2);
    expect(answers.map(({ data }) => data.nextCursor)).toEqual(["c0", "c1"]);
  });

  test("polls end with an error when the log no longer reaches back to the cursor", async () => {
    const { vigil } = fakeService([poll([1], "c1"), poll([], "", "SNAPSHOT_REQUIRED")]);
    const changes = vigil.datasets.listDatasetChanges.changes({ cursor: "c0" });
    await expect(gathered(changes)).rejects.toThrow(
      new SnapshotRequiredError("the log of list-dataset-changes no longer reaches back to the cursor; list again"),
    );
  });

  test("polls end with an error when the snapshot of the cursor is no longer current", async () => {
    const { vigil } = fakeService([poll([1], "c1"), poll([2], "c2", "SNAPSHOT_REQUIRED")]);
    const changes = vigil.datasets.listDatasetChanges.changes({ cursor: "c0" });
    await expect(gathered(changes)).rejects.toThrow(
      "the snapshot of the cursor of list-dataset-changes is no longer current; list again",
    );
  });

  test("polls end at an abort", async () => {
    const aborter = new AbortController();
    const { vigil } = fakeService([poll([1], "c1"), poll([], "c1")]);
    const polls = vigil.datasets.listDatasetChanges.polls({ cursor: "c0" }, { signal: aborter.signal });
    await polls.next();
    aborter.abort(new Error("enough"));
    await expect(polls.next()).rejects.toThrow("enough");
  });
});
