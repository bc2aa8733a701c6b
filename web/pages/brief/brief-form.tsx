import { useState } from "preact/hooks";
import { countries } from "../../countries.js";

interface Choice {
  readonly countryCode: string;
  readonly framework: string;
}

interface BriefFormProps extends Choice {
  readonly onChoice: (choice: Choice) => void;
}

const FRAMEWORK_CHARACTERS_MAX = 2_000;
const list = countries();

/** Selects a country. Only sending the form requests the brief: browsing the list must not use up the quota. */
export function BriefForm({ countryCode, framework, onChoice }: BriefFormProps) {
  const [chosen, setChosen] = useState(countryCode);
  const [emphasis, setEmphasis] = useState(framework);
  const submit = (event: Event): void => {
    event.preventDefault();
    onChoice({ countryCode: chosen, framework: emphasis.trim() });
  };
  return (
    <form class="row brief-form" onSubmit={submit}>
      <label class="field">
        Country
        <select required value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          <option value="">Choose…</option>
          {list.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Emphasis for a model, if one is configured
        <input
          type="text"
          maxLength={FRAMEWORK_CHARACTERS_MAX}
          value={emphasis}
          placeholder="such as prices and air travel"
          onInput={({ currentTarget }) => setEmphasis(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Read the brief
      </button>
    </form>
  );
}
