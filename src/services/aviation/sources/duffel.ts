import { Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { BadRow, SourceFailure, source, step } from "../../../contract/source.js";
import type { OffersPlan, ProviderFlightLeg, ProviderFlightResult } from "../records/itineraries.js";
import { presentMembers } from "../rules/present-members.js";
import { offerRanges } from "./flight-ranges.js";

const Answer = Type.Object({ data: Type.Object({ live_mode: Type.Boolean(), offers: Type.Array(Type.Unknown()) }) });

const Place = Type.Object({ iata_code: Type.Union([Type.String(), Type.Null()]) });
const duration = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Segment = Type.Object({
  origin: Place,
  destination: Place,
  departing_at: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$" }),
  arriving_at: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$" }),
  duration,
  marketing_carrier: Place,
  marketing_carrier_flight_number: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const RESULTS_WAITED_FOR_MS = 7_000;

/** Current offers of airlines, through a licensed intermediary. */
export const duffel = source({
  id: "duffel",
  title: "Duffel, flight offers",
  home: "https://duffel.com/docs/api/offer-requests",
  seen: "described",
  licence: { name: "Duffel agreement", url: "https://duffel.com/legal/terms", open: false },
  auth: header(
    "Authorization",
    {
      variable: "DUFFEL_API_TOKEN",
      description: "Live token for Duffel; without it, `search-provider-flights` has `degraded: true` and no flights",
    },
    "Bearer",
  ),
  steps: {
    offers: step({
      request: (plan: OffersPlan) => ({
        key: "offers",
        url: `https://api.duffel.com/air/offer_requests?return_offers=true&supplier_timeout=${RESULTS_WAITED_FOR_MS}`,
        body: JSON.stringify({ data: questionOf(plan) }),
        headers: { "Duffel-Version": "v2" },
        timeoutMs: 9_000,
      }),
      format: { kind: "json" },
      row: Type.Object({
        total_amount: Type.String({ pattern: "^\\d+(\\.\\d+)?$" }),
        slices: Type.Array(Type.Object({ duration, segments: Type.Array(Segment, { minItems: 1 }) }), { minItems: 1 }),
      }),
      *rows(document) {
        if (!Value.Check(Answer, document))
          throw new SourceFailure("changed", "expected data.offers[] and data.live_mode");
        // A test token gets offers of an invented airline, which must never be served as real.
        if (!document.data.live_mode) {
          throw new SourceFailure("unconfigured", "DUFFEL_API_TOKEN is a test token; expected a live one");
        }
        yield* document.data.offers;
      },
      record({ total_amount, slices }): ProviderFlightResult {
        const legs = slices.flatMap(({ segments }) => segments.map(legOf));
        const ways = slices.map((slice) => minutesOf(slice.duration));
        const knownMinutes = ways.filter((minutes) => minutes !== undefined);
        return {
          ...(knownMinutes.length === ways.length && {
            durationMinutes: knownMinutes.reduce((sum, minutes) => sum + minutes, 0),
          }),
          legs,
          price: Number(total_amount),
          stops: Math.max(...slices.map(({ segments }) => segments.length - 1)),
        };
      },
      rowsMin: 0,
    }),
  },
  ranges: offerRanges,
  observedAt: () => undefined,
  recordsMin: 0,
});

function questionOf({ origin, destination, departureDate, returnDate, cabin, passengers }: OffersPlan): object {
  const out = { origin, destination, departure_date: departureDate };
  const back = { origin: destination, destination: origin, departure_date: returnDate };
  return {
    slices: returnDate === "" ? [out] : [out, back],
    passengers: Array.from({ length: passengers }, () => ({ type: "adult" })),
    cabin_class: cabin.toLowerCase(),
  };
}

interface SegmentRow {
  readonly origin: { readonly iata_code: string | null };
  readonly destination: { readonly iata_code: string | null };
  readonly departing_at: string;
  readonly arriving_at: string;
  readonly duration?: string | null;
  readonly marketing_carrier: { readonly iata_code: string | null };
  readonly marketing_carrier_flight_number?: string | null;
}

function legOf(segment: SegmentRow): ProviderFlightLeg {
  const airlineCode = segment.marketing_carrier.iata_code ?? "";
  const number = segment.marketing_carrier_flight_number;
  return {
    ...presentMembers({
      airlineCode,
      arrivalAirport: segment.destination.iata_code,
      departureAirport: segment.origin.iata_code,
      durationMinutes: minutesOf(segment.duration),
      flightNumber: number ? `${airlineCode}${number}` : undefined,
    }),
    arrivalDatetime: segment.arriving_at,
    departureDatetime: segment.departing_at,
  };
}

/** Returns the minutes of an ISO 8601 duration; undefined without one. */
function minutesOf(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+(?:\.\d+)?S)?)?$/.exec(text);
  if (!match) throw new BadRow(`"${text.slice(0, 20)}" is not a duration`);
  const [, days = "0", hours = "0", minutes = "0"] = match;
  return (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
}
