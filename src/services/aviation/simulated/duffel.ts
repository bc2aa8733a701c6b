import { keyTrouble } from "../../../simulator/demo-key.js";
import { streamFor } from "../../../simulator/models/random-stream.js";
import {
  rewriteMiddle,
  type SimulatedAnswer,
  type SimulatedRequest,
  simulatedUpstream,
} from "../../../simulator/upstream.js";

/** Duffel's offers for a journey. Prices are strings; times are local and have no zone. */
export const upstream = simulatedUpstream({
  name: "duffel",
  credentials: { DUFFEL_API_TOKEN: "demo-duffel-token" },
  routes: [
    {
      host: "api.duffel.com",
      path: "/air/offer_requests",
      methods: ["POST"],
      handle: answerOffers,
      variants: {
        changed: (json) => json.replace('"offers":', '"proposals":'),
        empty: (json) => json.replace(/"offers":\[.*\]/s, '"offers":[]'),
        badRow: (json) => rewriteMiddle(json, /"total_amount":"[^"]*"/g, () => '"total_amount":"a lot"'),
      },
    },
  ],
});

interface Slice {
  readonly origin: string;
  readonly destination: string;
  readonly departure_date: string;
}

const OFFERS = 12;

function answerOffers({ headers, body, seed }: SimulatedRequest): SimulatedAnswer {
  const json = (status: number, value: unknown): SimulatedAnswer => ({
    status,
    contentType: "application/json",
    body: JSON.stringify(value),
  });
  const refused = (status: number, code: string): SimulatedAnswer =>
    json(status, { errors: [{ code, title: "Simulated" }], meta: { status } });
  const trouble = keyTrouble(/^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1]);
  if (trouble === "wrong") return refused(401, "access_token_not_found");
  if (trouble === "spent") return refused(429, "rate_limit_exceeded");
  // The cast is safe, because only our own client calls this upstream.
  const { data } = JSON.parse(body) as { data: { slices: Slice[]; passengers: unknown[]; cabin_class: string } };
  const offers = Array.from({ length: OFFERS }, (_, index) => {
    const random = streamFor(seed, `offer ${JSON.stringify(data.slices)} ${data.cabin_class} ${index}`);
    const price = (80 + 700 * random()) * data.passengers.length;
    const slices = data.slices.map((slice, way) => sliceOf(slice, random, `${index}${way}`));
    return { id: `off_sim${index}`, live_mode: true, total_amount: price.toFixed(2), total_currency: "GBP", slices };
  });
  const request = { id: "orq_sim", live_mode: true, cabin_class: data.cabin_class, passengers: data.passengers };
  return json(201, { data: { ...request, slices: data.slices, offers } });
}

function sliceOf({ origin, destination, departure_date }: Slice, random: () => number, number: string): object {
  const hasStop = random() < 0.4;
  const start = Math.floor(random() * 14) * 60 + Math.floor(random() * 60);
  const first = 60 + Math.floor(random() * 120);
  const leg = (from: string, to: string, at: number, minutes: number) => ({
    origin: { iata_code: from, type: "airport" },
    destination: { iata_code: to, type: "airport" },
    departing_at: localTime(departure_date, at),
    arriving_at: localTime(departure_date, at + minutes),
    duration: durationOf(minutes),
    marketing_carrier: { iata_code: number.startsWith("1") ? "XE" : "VG" },
    marketing_carrier_flight_number: `10${number}`,
  });
  const second = 60 + Math.floor(random() * 120);
  const segments = hasStop
    ? [leg(origin, "VIE", start, first), leg("VIE", destination, start + first + 60, second)]
    : [leg(origin, destination, start, first)];
  return { duration: durationOf(hasStop ? first + 60 + second : first), segments };
}

function localTime(day: string, minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

function durationOf(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `PT${hours > 0 ? `${hours}H` : ""}${rest > 0 ? `${rest}M` : ""}`;
}
