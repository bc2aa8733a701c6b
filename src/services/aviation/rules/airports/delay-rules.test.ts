import { describe, expect, test } from "vitest";
import { severityOfCancellations, severityOfDelays, severityOfFaaMinutes, worst } from "./delay-severity.js";
import { cancelledPercent, type Departure, delayedPercent, judged, sampleOf } from "./departure-sample.js";

describe("severities on both sides of every threshold", () => {
  test.each([
    ["no delay", 0, "NORMAL"],
    ["below minor", 14.9, "NORMAL"],
    ["minor from 15", 15, "MINOR"],
    ["below moderate", 29.9, "MINOR"],
    ["moderate from 30", 30, "MODERATE"],
    ["below major", 44.9, "MODERATE"],
    ["major from 45", 45, "MAJOR"],
    ["below severe", 59.9, "MAJOR"],
    ["severe from 60", 60, "SEVERE"],
  ])(
    "an average delay of $1 minutes, or a share of $1 percent delayed, has the severity $2 (%s)",
    (_name, value, severity) => {
      expect(severityOfDelays(value, 0)).toBe(severity);
      expect(severityOfDelays(0, value)).toBe(severity);
    },
  );

  test.each([
    ["below minor", 9.9, "NORMAL"],
    ["minor from 10", 10, "MINOR"],
    ["below moderate", 19.9, "MINOR"],
    ["moderate from 20", 20, "MODERATE"],
    ["below major", 49.9, "MODERATE"],
    ["major from 50", 50, "MAJOR"],
    ["below severe", 79.9, "MAJOR"],
    ["severe from 80", 80, "SEVERE"],
  ])("a share of $1 percent cancelled has the severity $2 (%s)", (_name, value, severity) => {
    expect(severityOfCancellations(value)).toBe(severity);
  });

  test.each([
    ["below minor", 14, "NORMAL"],
    ["minor from 15", 15, "MINOR"],
    ["below moderate", 29, "MINOR"],
    ["moderate from 30", 30, "MODERATE"],
    ["below major", 59, "MODERATE"],
    ["major from 60", 60, "MAJOR"],
    ["below severe", 89, "MAJOR"],
    ["severe from 90", 90, "SEVERE"],
  ])("a delay of $1 minutes that the FAA announces has the severity $2 (%s)", (_name, value, severity) => {
    expect(severityOfFaaMinutes(value)).toBe(severity);
  });

  test("of the severities for minutes and for percent, the worse applies", () => {
    expect(severityOfDelays(20, 50)).toBe("MAJOR");
    expect(severityOfDelays(50, 20)).toBe("MAJOR");
    expect(worst("MINOR", "NORMAL", "MODERATE")).toBe("MODERATE");
  });
});

const flights = (count: number, outcome: Departure["outcome"], delayMinutes = 0): Departure[] =>
  Array.from({ length: count }, () => ({ outcome, delayMinutes }));

describe("a sample of departures", () => {
  test("shares are based on the flights with a known outcome if there are at least ten of them, otherwise on all flights", () => {
    const nine = sampleOf([...flights(6, "flown"), ...flights(3, "cancelled"), ...flights(21, "open")]);
    expect(nine).toMatchObject({ totalFlights: 30, countedFlights: 30, cancelledFlights: 3 });
    expect(cancelledPercent(nine)).toBe(10);
    const ten = sampleOf([...flights(7, "flown"), ...flights(3, "cancelled"), ...flights(20, "open")]);
    expect(ten).toMatchObject({ totalFlights: 30, countedFlights: 10, cancelledFlights: 3 });
    expect(cancelledPercent(ten)).toBe(30);
  });

  test("the average includes only delayed flights, and a cancelled flight is not one of them", () => {
    const sample = sampleOf([...flights(8, "flown"), ...flights(3, "flown", 25), ...flights(1, "cancelled", 90)]);
    expect(sample).toMatchObject({ countedFlights: 12, delayedFlights: 3, averageDelayMinutes: 25 });
    expect(delayedPercent(sample)).toBe(25);
  });

  test("percentages have one decimal", () => {
    const sample = sampleOf([...flights(10, "flown"), ...flights(2, "cancelled"), ...flights(1, "flown", 7)]);
    expect([delayedPercent(sample), cancelledPercent(sample)]).toEqual([7.7, 15.4]);
  });

  test("without flights, the share of delays is undefined and the share of cancellations is 0", () => {
    const none = sampleOf([]);
    expect(none).toEqual({ totalFlights: 0, countedFlights: 0, cancelledFlights: 0 });
    expect([delayedPercent(none), cancelledPercent(none), judged(none).severity]).toEqual([undefined, 0, "NORMAL"]);
  });

  test("flights of unknown delay do not count as delayed, and neither do flights on time", () => {
    const unknown: Departure = { outcome: "flown", delayMinutes: undefined };
    expect(sampleOf([unknown, unknown])).not.toHaveProperty("averageDelayMinutes");
    expect(sampleOf([unknown, ...flights(1, "flown", 9)])).toMatchObject({ delayedFlights: 1, averageDelayMinutes: 9 });
    expect(sampleOf([unknown, ...flights(1, "flown")])).toMatchObject({ delayedFlights: 0, averageDelayMinutes: 0 });
  });

  test.each([
    ["9.9 % cancelled: the delays decide", 101, 10, "NORMAL", "GENERAL"],
    ["10 %", 100, 10, "MINOR", "GENERAL"],
    ["19.9 %", 201, 40, "MINOR", "GENERAL"],
    ["20 %", 200, 40, "MODERATE", "GROUND_DELAY"],
    ["49.9 %", 501, 250, "MODERATE", "GROUND_DELAY"],
    ["50 %", 500, 250, "MAJOR", "GROUND_STOP"],
    ["79.9 %", 501, 400, "MAJOR", "GROUND_STOP"],
    ["80 %", 500, 400, "SEVERE", "CLOSURE"],
  ])(
    "a sample with these cancellations has the severity $3 and the type $4: %s",
    (_name, total, cancelled, severity, type) => {
      const sample = sampleOf([...flights(total - cancelled, "flown"), ...flights(cancelled, "cancelled")]);
      expect(judged(sample)).toEqual({ severity, type });
    },
  );

  test("cancellations do not affect the severity of a sample with fewer than ten flights", () => {
    expect(judged(sampleOf(flights(9, "cancelled")))).toEqual({ severity: "NORMAL", type: "GENERAL" });
    expect(judged(sampleOf(flights(10, "cancelled")))).toEqual({ severity: "SEVERE", type: "CLOSURE" });
  });

  test.each([
    ["an average of 59 minutes", 59, "MAJOR", "GENERAL"],
    ["an average of 60 minutes", 60, "SEVERE", "GROUND_DELAY"],
    ["an average of 14 minutes", 14, "NORMAL", "GENERAL"],
  ])("a sample with %s has the severity $2 and the type $3", (_name, minutes, severity, type) => {
    expect(judged(sampleOf([...flights(99, "flown"), ...flights(1, "flown", minutes)]))).toEqual({ severity, type });
  });
});
