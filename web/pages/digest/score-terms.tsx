import type { ScoreTerm } from "../../../src/sdk/index.js";
import { numberText } from "../../format.js";

interface ScoreTermsProps {
  readonly name: string;
  readonly score: number;
  readonly terms: readonly ScoreTerm[];
  /** Meaning of each term. */
  readonly meanings: Readonly<Record<string, string>>;
}

/** A score as a sum of terms. */
export function ScoreTerms({ name, score, terms, meanings }: ScoreTermsProps) {
  return (
    <table class="score-terms">
      <caption>
        {name} <strong>{numberText(score)}</strong>
      </caption>
      <thead>
        <tr>
          <th scope="col">Term</th>
          <th scope="col" class="number">
            Input
          </th>
          <th scope="col" class="number">
            × Weight
          </th>
          <th scope="col" class="number">
            = Points
          </th>
        </tr>
      </thead>
      <tbody>
        {terms.map((term) => (
          <tr key={term.name} class={term.points === 0 ? "quiet" : undefined}>
            <th scope="row">
              {term.name}
              <span class="meaning">{meanings[term.name] ?? ""}</span>
            </th>
            <td class="number">{signed(term.input, digitsOf(term.input))}</td>
            <td class="number">{numberText(term.weight, digitsOf(term.weight))}</td>
            <td class="number">{signed(term.points, 2)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum</th>
          <td />
          <td />
          <td class="number">
            {numberText(
              terms.reduce((sum, { points }) => sum + points, 0),
              2,
            )}
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

const digitsOf = (value: number): number => (Number.isInteger(value) ? 0 : 2);

const signed = (value: number, digits: number): string => numberText(value, digits).replace("-", "−");
