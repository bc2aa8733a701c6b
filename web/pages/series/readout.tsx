import { numberText } from "../../format.js";
import { type Plot, placeName } from "./plot.js";

interface ReadoutProps {
  readonly plot: Plot;
  readonly at: number;
  /** True if the crosshair is at a place of the plot. If false, the newest values are shown. */
  readonly isPointed: boolean;
}

/** The values under the crosshair. The chart itself announces them to screen readers. */
export function Readout({ plot, at, isPointed }: ReadoutProps) {
  const { xs, lines, unit, digits, step } = plot;
  const x = xs[at];
  if (x === undefined) return null;
  return (
    <dl class="readout">
      {step === "tenor" ? (
        <div class="place">
          <dt>Tenor</dt>
          <dd>{placeName(plot, x)}</dd>
        </div>
      ) : (
        <div class="place">
          <dt>{isPointed ? "UTC" : "Newest"}</dt>
          <dd>{placeName(plot, x)}</dd>
        </div>
      )}
      {lines.map(({ id, name, colour, values }) => {
        const value = values[at] ?? null;
        return (
          <div key={id}>
            <dt>
              <span class={`key key-${colour}`} aria-hidden="true" />
              {name}
            </dt>
            <dd>
              {value === null ? (
                <span class="quiet">no value</span>
              ) : (
                <>
                  {numberText(value, digits)} <span class="quiet">{unit}</span>
                </>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
