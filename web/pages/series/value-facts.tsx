import { dayText, numberText } from "../../format.js";

/** A single value with its unit and the day, month or year that it is of. */
export interface ValueFact {
  readonly name: string;
  readonly value: number | undefined;
  readonly digits: number;
  readonly unit: string;
  readonly observedAt: number | undefined;
  /** How much of the date matters. */
  readonly of?: "day" | "month" | "year";
}

const LENGTHS = { day: 10, month: 7, year: 4 } as const;

/** Values beside each other; one that was never read is left out. */
export function ValueFacts({ facts }: { readonly facts: readonly ValueFact[] }) {
  return (
    <dl class="value-facts">
      {facts.map(
        ({ name, value, digits, unit, observedAt, of = "day" }) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <strong>{numberText(value, digits).replace("-", "−")}</strong> {unit}
                <span class="quiet">
                  {" "}
                  {observedAt === undefined ? "no date" : dayText(observedAt).slice(0, LENGTHS[of])}
                </span>
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
