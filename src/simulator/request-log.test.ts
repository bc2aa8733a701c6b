import { expect, test } from "vitest";
import { requestLog } from "./request-log.js";

const request = { at: 1, method: "GET", url: "https://a.org/", fault: null };

test("the log records the status of an answer once it has been sent", () => {
  const log = requestLog();
  const answered = log.arrived(request);
  expect(log.list()).toEqual([{ ...request, status: null }]);
  answered(200);
  expect(log.list()).toEqual([{ ...request, status: 200 }]);
});

test("the log keeps the newest entries, and is empty after it is cleared", () => {
  const log = requestLog(2);
  for (const at of [1, 2, 3]) log.arrived({ ...request, at });
  expect(log.list().map(({ at }) => at)).toEqual([2, 3]);
  log.clear();
  expect(log.list()).toEqual([]);
});
