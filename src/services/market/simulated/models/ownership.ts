import { DAY_MS } from "../../../../kit/clock.js";
import { streamFor } from "../../../../simulator/models/random-stream.js";

/**
 * An invented filing of a company: an ownership report, an amendment of the previous report, or a current report (8-K).
 */
export interface SimulatedFiling {
  readonly slot: number;
  readonly form: "4" | "4/A" | "8-K";
  readonly accession: string;
  /** YYYY-MM-DD */
  readonly filedOn: string;
  readonly tradedOn: string;
  readonly owner: { readonly cik: number; readonly name: string };
  readonly lines: readonly { readonly code: string; readonly shares: number; readonly price: number }[];
}

/** Length of a period. A company files once in each period. */
const SLOT_DAYS = 12;
const LISTED_SLOTS = 20;
const TRADED_BEFORE_DAYS = 2;
const FIRST_OWNER_CIK = 1_800_001;
const OWNERS = ["Simulated Ada", "Simulated Ben T.", "Simulated Capital, L.P."];
const CODES = ["S", "S", "P", "M", "A", "F"];
const GIFT = "G";

/** Creates the filings of a company up to `now`, newest first. */
export function filingsUntil(seed: number, cik: number, now: number): readonly SimulatedFiling[] {
  const newest = Math.floor(now / DAY_MS / SLOT_DAYS);
  return Array.from({ length: LISTED_SLOTS }, (_, index) => filingOf(seed, cik, newest - index));
}

/** Creates the filing of a period. The period's number is the last part of the accession number. */
export function filingOf(seed: number, cik: number, slot: number): SimulatedFiling {
  const form = slot % 6 === 5 ? "8-K" : slot % 6 === 3 ? "4/A" : "4";
  // An amendment corrects the number of shares in the previous report.
  const reported = form === "4/A" ? slot - 1 : slot;
  const random = streamFor(seed, `ownership ${cik} ${reported}`);
  const owner = Math.floor(random() * OWNERS.length);
  const codes = [CODES[Math.floor(random() * CODES.length)] ?? "S", ...(random() < 0.3 ? [GIFT] : [])];
  const lines = codes.map((code) => ({
    code,
    shares: 100 + Math.floor(random() * 90_000) + (form === "4/A" ? 1 : 0),
    price: Math.round(500 + random() * 20_000) / 100,
  }));
  return {
    slot,
    form,
    accession: `${String(FIRST_OWNER_CIK + owner).padStart(10, "0")}-${dayAt(slot, 0).slice(2, 4)}-${String(slot).padStart(6, "0")}`,
    filedOn: dayAt(slot, 0),
    tradedOn: dayAt(reported, -TRADED_BEFORE_DAYS),
    owner: { cik: FIRST_OWNER_CIK + owner, name: OWNERS[owner] ?? "Simulated" },
    lines,
  };
}

function dayAt(slot: number, days: number): string {
  return new Date((slot * SLOT_DAYS + days) * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the filing day of the previous period's report, which the amendment of this period corrects. */
export function originalOn(slot: number): string {
  return dayAt(slot - 1, 0);
}
