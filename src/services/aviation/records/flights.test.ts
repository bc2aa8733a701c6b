import { expect, test } from "vitest";
import { flightNumber, flightStatus, iataCode } from "./flights.js";

test.each([
  ["TK1", "TK1"],
  ["tk 0001", "TK1"],
  ["TK 1979", "TK1979"],
  ["BA0117A", "BA117A"],
  ["THY1", "THY1"],
  ["9W123", "9W123"],
  ["TK0", "TK0"],
  ["TK12345", undefined],
  ["TK", undefined],
  ["1234567", undefined],
  ["TK-1", undefined],
])("the flight number %s is read as %s", (text, expected) => {
  expect(flightNumber(text)).toBe(expected);
});

test.each([
  ["ist", "IST"],
  [" IST", "IST"],
  ["LTFM", undefined],
  ["I1T", undefined],
])("the airport code %s is read as %s", (text, expected) => {
  expect(iataCode(text)).toBe(expected);
});

test.each(["incident", "", "constructor", "toString"])("the status %j is unknown", (word) => {
  expect(flightStatus(word)).toBe("FLIGHT_INSTANCE_STATUS_UNKNOWN");
});
