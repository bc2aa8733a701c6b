import { type Static, Type } from "typebox";

export const DatePriceEntry = Type.Object(
  {
    date: Type.String({ description: "Day of departure, YYYY-MM-DD" }),
    price: Type.Number({ description: "Per person, US dollars" }),
    returnDate: Type.String({ description: "YYYY-MM-DD; empty for one way" }),
  },
  { title: "DatePriceEntry" },
);
export type DatePriceEntry = Static<typeof DatePriceEntry>;

/** A journey that a traveller found for a day, with its price. */
export interface DatePrice extends DatePriceEntry {
  readonly stops: number;
  /** Undefined if the provider does not name the airline. */
  readonly airline: string | undefined;
  /** 0 economy, 1 business, 2 first. Undefined means economy. */
  readonly tripClass: number | undefined;
}

export interface DatesPlan {
  readonly origin: string;
  readonly destination: string;
  /** The months to request, YYYY-MM. */
  readonly months: readonly string[];
  /** Days between departure and return; 0 for one way. */
  readonly days: number;
}

/** Maximum number of months per search. */
export const MONTHS_MAX = 12;

/**
 * Returns the months from one day to another, inclusive. Returns at most `MONTHS_MAX` + 1 months, which is enough for
 * the caller to see that the range is too long.
 */
export function monthsBetween(startDate: string, endDate: string): readonly string[] {
  const months: string[] = [];
  let [year, month] = [Number(startDate.slice(0, 4)), Number(startDate.slice(5, 7))];
  const last = endDate.slice(0, 7);
  for (;;) {
    const name = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}`;
    if (name > last || months.length > MONTHS_MAX) return months;
    months.push(name);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
  }
}

export interface DateWishes {
  readonly startDate: string;
  readonly endDate: string;
  readonly stopsMax: number;
  readonly airlines: readonly string[];
  /** Undefined if any class is acceptable. */
  readonly tripClass: number | undefined;
  readonly byPrice: boolean;
}

/** Returns, for each day, the cheapest price that meets the wishes. The prices are sorted by day or by price. */
export function cheapestDates(prices: readonly DatePrice[], wishes: DateWishes): readonly DatePriceEntry[] {
  const cheapest = new Map<string, DatePriceEntry>();
  for (const { date, returnDate, price, ...about } of prices) {
    const fits =
      date >= wishes.startDate &&
      date <= wishes.endDate &&
      about.stops <= wishes.stopsMax &&
      (wishes.airlines.length === 0 || wishes.airlines.includes(about.airline ?? "")) &&
      (wishes.tripClass === undefined || classOf(about) === wishes.tripClass);
    const previous = cheapest.get(date);
    if (fits && (previous === undefined || price < previous.price)) cheapest.set(date, { date, price, returnDate });
  }
  const byDate = [...cheapest.values()].toSorted((a, b) => a.date.localeCompare(b.date));
  return wishes.byPrice ? byDate.toSorted((a, b) => a.price - b.price) : byDate;
}

/** The cabin class of a price whose row does not name one. */
const ECONOMY = 0;

function classOf({ tripClass = ECONOMY }: Pick<DatePrice, "tripClass">): number {
  return tripClass;
}

/** True if at least one price is for this class, so that prices can be filtered by class. */
export function tellsClass(prices: readonly DatePrice[], tripClass: number | undefined): boolean {
  return prices.some((price) => classOf(price) === tripClass);
}
