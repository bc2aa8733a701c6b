import { useEffect, useState } from "preact/hooks";
import { useNow } from "../clock.js";
import { agoText, instantText } from "../format.js";
import { AT, setParams, useAt, useParam } from "../location.js";
import { TimeInput } from "../parts/time-input.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The ranges of the slider with their steps. */
const RANGES = [
  { id: "6h", name: "6 hours", rangeMs: 6 * HOUR_MS, stepMs: MINUTE_MS },
  { id: "48h", name: "2 days", rangeMs: 48 * HOUR_MS, stepMs: 10 * MINUTE_MS },
  { id: "14d", name: "14 days", rangeMs: 14 * 24 * HOUR_MS, stepMs: HOUR_MS },
  { id: "90d", name: "90 days", rangeMs: 90 * 24 * HOUR_MS, stepMs: 6 * HOUR_MS },
] as const;

/**
 * Bounds of the input for an exact instant. No data was ever stored at an instant outside them. A year that is still
 * being typed, such as 0202, is outside these bounds, so the input does not report it.
 */
const FIRST_INSTANT = "2000-01-01T00:00";
const LAST_INSTANT = "2999-12-31T23:59";

/** The page shows a new instant only after the slider has not moved for this time. */
const REST_MS = 250;

/** Selects the instant that every page shows. */
export function TimeBar() {
  const at = useAt();
  const now = useNow();
  const [rangeId, setRange] = useParam("range", "48h");
  const range = RANGES.find(({ id }) => id === rangeId) ?? RANGES[1];
  const steps = Math.round(range.rangeMs / range.stepMs);
  const chosen = at === undefined ? steps : steps - Math.round((now - Date.parse(at)) / range.stepMs);
  const [place, setPlace] = useState(chosen);
  useEffect(() => setPlace(chosen), [chosen]);
  useEffect(() => {
    if (place === chosen) return;
    const timer = setTimeout(() => show(instantAt(place)), REST_MS);
    return () => clearTimeout(timer);
  });

  /** The instant at a slider position, rounded down to a whole minute; undefined at the slider's end, which is now. */
  function instantAt(step: number): string | undefined {
    if (step >= steps) return undefined;
    const ms = now - (steps - step) * range.stepMs;
    return new Date(Math.floor(ms / MINUTE_MS) * MINUTE_MS).toISOString();
  }

  const shown = place === chosen ? at : instantAt(place);
  return (
    <div class={`time-bar${shown === undefined ? "" : " past"}`}>
      <label class="visually-hidden" for="time-slider">
        Instant shown
      </label>
      <input
        id="time-slider"
        type="range"
        min={0}
        max={steps}
        step={1}
        value={Math.max(0, Math.min(steps, place))}
        aria-valuetext={shown === undefined ? "now" : `${instantText(shown)} UTC`}
        onInput={({ currentTarget }) => setPlace(currentTarget.valueAsNumber)}
      />
      <label class="visually-hidden" for="time-range">
        Range of the slider
      </label>
      <select id="time-range" value={range.id} onChange={({ currentTarget }) => setRange(currentTarget.value)}>
        {RANGES.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <label class="visually-hidden" for="time-exact">
        Exact instant, UTC
      </label>
      <TimeInput
        id="time-exact"
        type="datetime-local"
        value={shown === undefined ? "" : new Date(shown).toISOString().slice(0, 16)}
        min={FIRST_INSTANT}
        max={LAST_INSTANT}
        onValue={(value) => show(value === "" ? undefined : `${value}Z`)}
      />
      <output class="time-text">
        {shown === undefined ? "Now" : `As of ${instantText(shown)} UTC, ${agoText(shown, now)}`}
      </output>
      {shown !== undefined && (
        <button type="button" class="primary" onClick={() => show(undefined)}>
          Back to now
        </button>
      )}
    </div>
  );
}

function show(instant: string | undefined): void {
  const isPast = instant !== undefined && Date.parse(instant) < Date.now();
  setParams({ [AT]: isPast ? new Date(instant).toISOString() : undefined });
}
