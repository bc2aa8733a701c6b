import { expect, test } from "vitest";
import { failureOf, firstRequest, readBody } from "../../../../test/support/reading.js";
import { nrcanEarthquakes } from "./nrcan-earthquakes.js";

const request = firstRequest(nrcanEarthquakes, {});

const entry = ({
  title = "2026-11-18 09:12:44 UTC: M4.6 78 km SSW of Port Alice, BC",
  id = "https://x.test/event?eventid=20261118.0912001",
  category = "Earthquake",
  point = "50.012 -129.345",
  elev = "-10000",
}) => `<entry>
  <title>${title}</title><id>${id}</id>
  <link rel="alternate" href="https://x.test/event"/>
  <category term="${category}"/>
  <georss:point>${point}</georss:point>${elev === "" ? "" : `<georss:elev>${elev}</georss:elev>`}
</entry>`;
const feed = (...entries: readonly string[]): string =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss"><updated>2026-11-18T10:00:00Z</updated>${entries.join("")}</feed>`;
const read = (...entries: readonly string[]) => readBody(nrcanEarthquakes, request, feed(...entries));

test("an entry becomes an earthquake, and its elevation becomes a depth", () => {
  expect(read(entry({})).records).toEqual([
    {
      id: "nrcan:20261118.0912001",
      place: "78 km SSW of Port Alice, BC",
      magnitude: 4.6,
      depthKm: 10,
      location: { latitude: 50.012, longitude: -129.345 },
      occurredAt: Date.UTC(2026, 10, 18, 9, 12, 44),
      sourceUrl: "https://x.test/event",
      source: "nrcan",
      category: "Earthquake",
    },
  ]);
});

test.each(["Industry-related event", "Mining event", "Blast", "Induced"])(
  "an event of kind %s is omitted",
  (category) => {
    expect(read(entry({ category }), entry({}))).toMatchObject({ rowsBad: 0, records: [{ category: "Earthquake" }] });
  },
);

test("an unknown depth is absent, and an elevation of 0 becomes a depth of 0, not -0", () => {
  expect(read(entry({ elev: "" })).records[0]).not.toHaveProperty("depthKm");
  expect(Object.is((read(entry({ elev: "0" })).records[0] as { depthKm: number }).depthKm, 0)).toBe(true);
});

test.each([
  ["a title without a time", entry({ title: "An earthquake in BC" })],
  ["a nonexistent date", entry({ title: "2026-02-31 09:12:44 UTC: M4.6 BC" })],
  ["a position in words", entry({ point: "off Vancouver" })],
  ["an out-of-range position", entry({ point: "95 0" })],
])("a row with %s is skipped", (_name, broken) => {
  expect(read(entry({}), broken, entry({}))).toMatchObject({ rowsRead: 3, rowsBad: 1 });
});

test("a feed without a date is reported as a changed document", () => {
  expect(failureOf(() => readBody(nrcanEarthquakes, request, "<feed><entry/></feed>")).kind).toBe("changed");
});
