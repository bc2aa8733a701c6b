import { useState } from "preact/hooks";

/** Number of members that are shown at first. Each press of the button shows as many more. */
const MEMBERS_STEP = 100;
/** Levels that are open at first. */
const OPEN_LEVELS = 2;

/** JSON as a tree. Closed branches are not rendered, so that a large answer does not freeze the browser. */
export function AnswerTree({ value }: { readonly value: unknown }) {
  return (
    <div class="tree">
      <Branch name="answer" value={value} level={0} />
    </div>
  );
}

interface BranchProps {
  readonly name: string;
  readonly value: unknown;
  readonly level: number;
}

function Branch({ name, value, level }: BranchProps) {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const [shownMax, setShownMax] = useState(MEMBERS_STEP);
  if (typeof value !== "object" || value === null) {
    return (
      <div class="leaf">
        <span class="name">{name}</span> <Leaf value={value} />
      </div>
    );
  }
  const entries = Object.entries(value);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="name">{name}</span>{" "}
        <span class="quiet">{Array.isArray(value) ? `${entries.length} rows` : `${entries.length} members`}</span>
      </summary>
      {isOpen && (
        <div class="branch">
          {entries.slice(0, shownMax).map(([key, member]) => (
            <Branch key={key} name={key} value={member} level={level + 1} />
          ))}
          {entries.length > shownMax && (
            <button type="button" onClick={() => setShownMax(shownMax + MEMBERS_STEP)}>
              Show more ({entries.length - shownMax} left)
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  return <code class={`value ${value === null ? "null" : typeof value}`}>{JSON.stringify(value)}</code>;
}
