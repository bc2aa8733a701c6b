import { expect, test } from "vitest";
import { SENDS_PER_ACCOUNT_MAX, SENDS_PER_ENDPOINT_MAX, type SendPlaces, sendPlaces } from "./send-places.js";

/** Begins attempts of an account, each to an endpoint of its own, until none is allowed. Returns their number. */
function fill(places: SendPlaces, accountId: string): number {
  let begun = 0;
  for (; places.freeFor(accountId, `${accountId} ${begun}`) > 0; begun += 1) {
    places.begin(accountId, `${accountId} ${begun}`);
  }
  return begun;
}

test("an endpoint has at most four concurrent attempts, and an account at most 16", () => {
  const places = sendPlaces();
  expect(places.freeFor("acc_a", "ep_1")).toBe(SENDS_PER_ENDPOINT_MAX);
  for (let count = 0; count < SENDS_PER_ENDPOINT_MAX; count += 1) places.begin("acc_a", "ep_1");
  expect(places.freeFor("acc_a", "ep_1")).toBe(0);
  expect(fill(places, "acc_a")).toBe(SENDS_PER_ACCOUNT_MAX - SENDS_PER_ENDPOINT_MAX);
  expect(places.fullAccounts()).toEqual(["acc_a"]);
  places.end("acc_a", "ep_1");
  expect(places.fullAccounts()).toEqual([]);
});

test("four accounts with slow receivers leave places for others", () => {
  const places = sendPlaces();
  for (const accountId of ["a", "b", "c", "d"]) fill(places, accountId);
  expect(places.freeFor("new", "ep_1")).toBe(SENDS_PER_ENDPOINT_MAX);
});

test("when all places are taken, those that become free go to the accounts with the fewest attempts", () => {
  const places = sendPlaces();
  for (let count = 0; places.free() > 0; count += 1) fill(places, `acc_${count}`);
  for (let count = 0; count < 4; count += 1) {
    places.end("acc_0", `acc_0 ${count}`);
    expect(places.fullAccounts()).toContain("acc_0");
    expect(fill(places, `new_${count}`)).toBe(1);
  }
});
