import { dayText, numberText } from "../../format.js";

/** A single value with its unit, and its day, month or year. */
export interface ValueFact {
  readonly name: string;
  readonly value: number | undefined;
  readonly digits: number;
  readonly unit: string;
  readonly observedAt: number | undefined;
  /** The precision of the date. */
  readonly of?: "day" | "month" | "year";
}

const LENGTHS = { day: 10, month: 7, year: 4 } as const;

/** Values side by side; values that were never read are left out. */
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
