import { useId } from "preact/hooks";
import { setParams, useView } from "../../location.js";
import { TimeInput } from "../../parts/time-input.js";
import { type Plot, placeName } from "./plot.js";

/** A range of the x axis; epoch ms, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const PRESETS = [
  { name: "1 year", years: 1 },
  { name: "5 years", years: 5 },
  { name: "10 years", years: 10 },
  { name: "30 years", years: 30 },
] as const;

/**
 * Returns the range in the address. If the address has no start, the range starts `yearsShown` years before the newest
 * value, but not before the first value. If the address has no end, the range ends with the newest value.
 */
export function useRange(plot: Plot, yearsShown: number | undefined): Range {
  const { params } = useView();
  const first = plot.xs[0] ?? 0;
  const last = plot.xs.at(-1) ?? 0;
  const timeOf = (name: string): number => Date.parse(params.get(name) ?? "");
  const from = timeOf("from");
  const to = timeOf("to");
  const start = yearsShown === undefined ? first : yearsBefore(last, yearsShown);
  return { from: Number.isNaN(from) ? Math.max(first, start) : from, to: Number.isNaN(to) ? last : to };
}

export function setRange(plot: Plot, range: Range | undefined): void {
  setParams({ from: range && placeName(plot, range.from), to: range && placeName(plot, range.to) });
}

interface RangeChoiceProps {
  readonly plot: Plot;
  readonly range: Range;
}

/** Selects the range by its ends, or by its length up to the newest value. */
export function RangeChoice({ plot, range }: RangeChoiceProps) {
  const first = plot.xs[0] ?? 0;
  const last = plot.xs.at(-1) ?? 0;
  const id = useId();
  const type = plot.step === "month" ? "month" : "date";
  const end = (name: "from" | "to", label: string, time: number) => (
    <span class="field">
      <label for={`${id}-${name}`}>{label}</label>
      <TimeInput
        id={`${id}-${name}`}
        type={type}
        value={placeName(plot, time)}
        min={placeName(plot, first)}
        max={placeName(plot, last)}
        onValue={(value) => setParams({ [name]: value })}
      />
    </span>
  );
  return (
    <fieldset class="range-choice">
      <legend class="visually-hidden">Range</legend>
      {end("from", "From", range.from)}
      {end("to", "to", range.to)}
      {PRESETS.filter(({ years }) => yearsBefore(last, years) > first).map(({ name, years }) => (
        <button
          key={name}
          type="button"
          aria-pressed={range.to === last && range.from === yearsBefore(last, years)}
          onClick={() => setParams({ from: placeName(plot, yearsBefore(last, years)), to: undefined })}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        aria-pressed={range.from <= first && range.to >= last}
        onClick={() => setParams({ from: placeName(plot, first), to: undefined })}
      >
        All
      </button>
    </fieldset>
  );
}

function yearsBefore(time: number, years: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear() - years, date.getUTCMonth(), date.getUTCDate());
}
