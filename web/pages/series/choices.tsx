import { useParam } from "../../location.js";
import type { Plot } from "./plot.js";

interface Option {
  readonly id: string;
  readonly name: string;
}

/** The lines named in the address, in the order of the options; `otherwise` if the address names none of them. */
export function useChosenLines(
  options: readonly Option[],
  otherwise: readonly string[],
): readonly [readonly string[], (ids: readonly string[]) => void] {
  const [text, setText] = useParam("lines", otherwise.join());
  const named = text.split(",");
  const chosen = options.map(({ id }) => id).filter((id) => named.includes(id));
  return [chosen.length > 0 ? chosen : otherwise, (ids) => setText(ids.join())];
}

interface MeasureChoiceProps {
  readonly options: readonly Option[];
  readonly chosen: string;
  readonly onChoice: (id: string) => void;
}

export function MeasureChoice({ options, chosen, onChoice }: MeasureChoiceProps) {
  return (
    <label class="field">
      Measure
      <select value={chosen} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface LineChoiceProps {
  readonly legend: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  /** The current plot, which gives the lines their colours. */
  readonly plot: Plot | undefined;
  /** Maximum number of selected lines. */
  readonly max?: number;
  readonly onChoice: (ids: readonly string[]) => void;
}

/** Selects lines; at least one stays selected. */
export function LineChoice({ legend, options, chosen, plot, max = options.length, onChoice }: LineChoiceProps) {
  const colours = new Map(plot?.lines.map(({ id, colour }) => [id, colour]));
  const toggle = (id: string): void =>
    onChoice(options.map((option) => option.id).filter((each) => (each === id) !== chosen.includes(each)));
  return (
    <fieldset class="line-choice">
      <legend>
        {legend}
        {max < options.length && <span class="quiet"> (at most {max})</span>}
      </legend>
      {options.map(({ id, name }) => {
        const isChosen = chosen.includes(id);
        return (
          <label key={id}>
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isChosen ? chosen.length === 1 : chosen.length >= max}
              onChange={() => toggle(id)}
            />
            <span class={`key key-${colours.get(id) ?? "none"}`} aria-hidden="true" />
            {name}
          </label>
        );
      })}
    </fieldset>
  );
}
