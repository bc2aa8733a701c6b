import { describe, expect, test } from "vitest";
import { SourceFailure } from "../src/contract/source.js";
import { insteadOf } from "../src/ingest/requests.js";
import { cheapestDates, type DatePrice } from "../src/services/aviation/records/date-prices.js";
import type { PositionSample } from "../src/services/aviation/records/positions.js";
import { matching, type PricePlan, type PriceQuote } from "../src/services/aviation/records/prices.js";
import { adsbLol } from "../src/services/aviation/sources/adsb-lol.js";
import { aviationstack } from "../src/services/aviation/sources/aviationstack.js";
import { opensky } from "../src/services/aviation/sources/opensky.js";
import { travelpayoutsCalendar, travelpayoutsMonth } from "../src/services/aviation/sources/travelpayouts-dates.js";
import { travelpayoutsDay, travelpayoutsLatest } from "../src/services/aviation/sources/travelpayouts-prices.js";
import { youtubeOembed } from "../src/services/aviation/sources/youtube-oembed.js";
import { firstRequest, readBody } from "./support/reading.js";
import { recorded, recordedBytes, recordedTitle, recordingsAbsent } from "./support/recordings.js";

type Json = Readonly<Record<string, unknown>>;

const box = { box: { south: 38, west: -80, north: 41, east: -74 } };
const hundredths = (value: number): number => Math.round(value * 100) / 100 + 0;
const tenths = (value: number): number => Math.round(value * 10) / 10 + 0;

describe.skipIf(recordingsAbsent)(recordedTitle, () => {
  test("the adsb.lol recording of 29 July 2026 yields all 716 aircraft, with observation times from the recording", () => {
    const bytes = recordedBytes("adsb-lol/v2_lat_lon_dist.json");
    const { ac, now } = JSON.parse(bytes.toString("utf8")) as { ac: Json[]; now: number };
    const reading = readBody(adsbLol, firstRequest(adsbLol, box), bytes);
    expect(reading).toMatchObject({ rowsRead: 716, rowsBad: 0, records: { length: 716 } });
    const records = reading.records as readonly PositionSample[];
    const raw = (isCounted: (aircraft: Json) => boolean): number => ac.filter(isCounted).length;
    // Peculiarities of real rows: padded callsigns, altitudes that are "ground" or missing, unregistered addresses.
    expect(raw(({ flight }) => flight !== undefined && String(flight) !== String(flight).trim())).toBe(694);
    expect([
      raw((aircraft) => aircraft["alt_baro"] === "ground"),
      raw((aircraft) => !("alt_baro" in aircraft)),
    ]).toEqual([116, 1]);
    expect(raw(({ hex }) => String(hex).startsWith("~"))).toBe(8);
    for (const [index, aircraft] of ac.entries()) {
      const feet = aircraft["alt_baro"] === "ground" ? undefined : (aircraft["alt_baro"] ?? aircraft["alt_geom"]);
      const climb = aircraft["baro_rate"] ?? aircraft["geom_rate"];
      const expected = {
        altitudeM: feet === undefined ? undefined : hundredths(Number(feet) * 0.3048),
        callsign: String(aircraft["flight"] ?? "").trim() || undefined,
        groundSpeedKts: aircraft["gs"] === undefined ? undefined : tenths(Number(aircraft["gs"])),
        icao24: aircraft["hex"],
        lat: aircraft["lat"],
        lon: aircraft["lon"],
        observedAt: Math.round(now - Number(aircraft["seen_pos"]) * 1_000),
        onGround: aircraft["alt_baro"] === "ground",
        source: "POSITION_SOURCE_ADSB",
        trackDeg: aircraft["track"],
        verticalRate: climb === undefined ? undefined : hundredths((Number(climb) * 0.3048) / 60),
      };
      // Undefined members are left out.
      expect(records[index]).toEqual(JSON.parse(JSON.stringify(expected)));
    }
    const count = (isCounted: (sample: PositionSample) => boolean): number => records.filter(isCounted).length;
    expect(count(({ onGround }) => onGround)).toBe(116);
    expect(count(({ onGround, altitudeM }) => onGround && altitudeM !== undefined)).toBe(0);
    expect(count(({ icao24 }) => icao24.startsWith("~"))).toBe(8);
    expect(count((sample) => !("callsign" in sample))).toBe(22);
    expect(count(({ callsign }) => callsign !== undefined && callsign !== callsign.trim())).toBe(0);
    expect(reading.newestAt).toBeLessThanOrEqual(now);
  });

  test("the OpenSky recording of 17 October 2021 yields the 5,384 of 5,485 states that have a position", () => {
    const bytes = recordedBytes("opensky/states_all.json");
    const { states, time } = JSON.parse(bytes.toString("utf8")) as { states: unknown[][]; time: number };
    const reading = readBody(opensky, firstRequest(opensky, box), bytes);
    expect(reading).toMatchObject({ rowsRead: 5_485, rowsBad: 0, records: { length: 5_384 } });
    const located = states.filter((state) => state[5] !== null);
    // Peculiarities of real rows: null positions, padded callsigns, callsigns of only padding, missing altitudes.
    const raw = (isCounted: (state: readonly unknown[]) => boolean): number => states.filter(isCounted).length;
    expect(raw((state) => state[5] === null && state[6] === null)).toBe(101);
    expect(raw((state) => state[1] !== String(state[1]).trim())).toBe(5_359);
    expect(raw((state) => String(state[1]).trim() === "")).toBe(120);
    expect(raw((state) => state[7] === null)).toBe(482);
    const records = reading.records as readonly PositionSample[];
    for (const [index, state] of located.entries()) {
      const expected = {
        altitudeM: (state[7] ?? state[13]) === null ? undefined : hundredths(Number(state[7] ?? state[13])),
        callsign: String(state[1]).trim() || undefined,
        groundSpeedKts: tenths(Number(state[9]) * 1.944),
        icao24: state[0],
        lat: state[6],
        lon: state[5],
        observedAt: Number(state[4]) * 1_000,
        onGround: state[8],
        source: "POSITION_SOURCE_OPENSKY",
        trackDeg: state[10],
        verticalRate: state[11] ?? undefined,
      };
      expect(records[index]).toEqual(JSON.parse(JSON.stringify(expected)));
    }
    expect(reading.newestAt).toBeLessThanOrEqual(time * 1_000);
  });

  test("the aviationstack recording of 15 March 2025 yields its only row", () => {
    const request = firstRequest(aviationstack, { airport: "BJL", direction: "departure" }, { AVIATIONSTACK_API: "k" });
    const reading = readBody(aviationstack, request, recordedBytes("aviationstack/flights.one-row.json"));
    expect(reading).toMatchObject({ rowsRead: 1, rowsBad: 0 });
    expect(reading.records).toEqual([
      {
        aircraftIcao24: "0641d9",
        aircraftType: "B735",
        cancelled: false,
        codeshareFlightNumbers: [],
        date: "2025-03-15",
        diverted: false,
        destination: { iata: "ABJ", icao: "DIAP", name: "Felix Houphouet Boigny", timezone: "Africa/Abidjan" },
        estimatedDeparture: Date.parse("2025-03-15T03:10:00Z"),
        flightNumber: "P47771",
        operatingCarrier: { iataCode: "P4", icaoCode: "NSO", name: "Aerolineas Sosa" },
        origin: { iata: "BJL", icao: "GBYD", name: "Yundum International", timezone: "Africa/Banjul" },
        scheduledArrival: Date.parse("2025-03-15T06:10:00Z"),
        scheduledDeparture: Date.parse("2025-03-15T03:10:00Z"),
        source: "aviationstack",
        status: "FLIGHT_INSTANCE_STATUS_LANDED",
        isCodeshare: false,
      },
    ]);
  });

  const token = { TRAVELPAYOUTS_API_TOKEN: "k" };
  const rowsOf = (file: string): readonly Json[] => {
    const { data } = JSON.parse(recorded(`travelpayouts/${file}`)) as { data: readonly Json[] };
    return Object.values(data);
  };

  test("the Travelpayouts prices for dates, a recording of uncertain origin, yield three quotes and one bad row without a price", () => {
    const plan: PricePlan = {
      origin: "EZE",
      destination: "MAD",
      departureDate: "2026-07-12",
      returnDate: "2026-07-28",
      tripClass: 0,
      nonstopOnly: false,
      currency: "usd",
      market: "",
    };
    const file = "round2/travelpayouts/prices_for_dates.v3.unproven.json";
    const { data: rows } = JSON.parse(recorded(file)) as { data: readonly Json[] };
    const priced = rows.filter((row) => row["price"] !== undefined);
    const reading = readBody(travelpayoutsDay, firstRequest(travelpayoutsDay, plan, token), recordedBytes(file));
    expect([rows.length, priced.length, reading.rowsRead, reading.rowsBad]).toEqual([4, 3, 4, 1]);
    const quotes = reading.records as readonly PriceQuote[];
    expect(
      quotes.map((quote) => [quote.priceAmount, quote.carrier?.iataCode, quote.durationMinutes, quote.bookingUrl]),
    ).toEqual(
      priced.map((row) => [row["price"], row["airline"], row["duration"], `https://www.aviasales.com${row["link"]}`]),
    );
    expect(quotes.map(({ departureDate, returnDate, stops }) => [departureDate, returnDate, stops])).toEqual(
      priced.map((row) => [
        String(row["departure_at"]).slice(0, 10),
        String(row["return_at"] ?? "").slice(0, 10),
        row["transfers"],
      ]),
    );
    for (const quote of quotes) expect(Object.keys(quote)).not.toContain("observedAt");
    expect(matching(quotes, plan).map(({ priceAmount }) => priceAmount)).toEqual([689]);
  });

  test("each row of the Travelpayouts latest prices of 11 December 2021 yields a quote, and the quotes for one day can be selected", () => {
    const plan: PricePlan = {
      origin: "GDN",
      destination: "OSL",
      departureDate: "2021-12-24",
      returnDate: "2021-12-27",
      tripClass: 0,
      nonstopOnly: true,
      currency: "usd",
      market: "",
    };
    const request = firstRequest(travelpayoutsLatest, plan, token);
    const reading = readBody(travelpayoutsLatest, request, recordedBytes("travelpayouts/latest_prices.json"));
    const rows = rowsOf("latest_prices.json");
    expect(reading).toMatchObject({ rowsRead: rows.length, rowsBad: 0 });
    const quotes = reading.records as readonly PriceQuote[];
    expect(
      quotes.map(({ priceAmount, departureDate, observedAt }) => [priceAmount, departureDate, observedAt]),
    ).toEqual(
      rows.map((row) => [row["value"], row["depart_date"], Date.parse(`${row["found_at"]}`.replace(/Z?$/, "Z"))]),
    );
    expect(matching(quotes, plan)).toMatchObject([
      { origin: "GDN", destination: "OSL", priceAmount: 3, stops: 0, durationMinutes: 175, currency: "USD" },
    ]);
  });

  test.each([
    ["calendar.json", travelpayoutsCalendar, 7, "departure_at", "price"],
    ["month_matrix.json", travelpayoutsMonth, 0, "depart_date", "value"],
  ] as const)(
    "the Travelpayouts recording %s of December 2021 yields the cheapest price of each day",
    (file, source, days, day, price) => {
      const request = firstRequest(source, { origin: "LED", destination: "HKT", months: ["2021-12"], days }, token);
      const reading = readBody(source, request, recordedBytes(`travelpayouts/${file}`));
      const rows = rowsOf(file);
      expect(reading).toMatchObject({ rowsRead: rows.length, rowsBad: 0, records: { length: rows.length } });
      const cheapest = new Map<string, number>();
      for (const row of rows) {
        const date = String(row[day]).slice(0, 10);
        cheapest.set(date, Math.min(cheapest.get(date) ?? Number.POSITIVE_INFINITY, Number(row[price])));
      }
      const wishes = { startDate: "2021-01-01", endDate: "2023-01-01", stopsMax: 9, airlines: [], tripClass: 0 };
      const dates = cheapestDates(reading.records as readonly DatePrice[], { ...wishes, byPrice: false });
      expect(dates.map((entry) => [entry.date, entry.price])).toEqual(
        [...cheapest].toSorted(([a], [b]) => a.localeCompare(b)),
      );
      expect(dates.length).toBeGreaterThan(10);
    },
  );

  test("the embed metadata of 25 February 2024 yields title and channel, and a refusal with status 403 does not count as a failure", () => {
    const request = firstRequest(youtubeOembed, "pO5L6vXtxsI");
    expect(readBody(youtubeOembed, request, recordedBytes("youtube-oembed/oembed_200.json")).records).toEqual([
      { title: "CKEditor 4.5 - Embedding Media Resources with oEmbed", channelName: "CKEditor" },
    ]);
    expect(recorded("youtube-oembed/oembed_403.txt")).toBe("Forbidden");
    const refused = new SourceFailure("unavailable", "answered 403", { status: 403 });
    expect(insteadOf(firstRequest(youtubeOembed, "a"), refused)).toEqual([]);
  });
});
