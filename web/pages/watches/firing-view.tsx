import type { TestedWatchFiring } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import { SafeLink } from "../../parts/safe-link.js";
import { StateBadge } from "../../parts/state-badge.js";
import { SideBySide } from "./side-by-side.js";
import { firingText, kindText } from "./watch-texts.js";

/** Shows a firing. The values before and after the firing are side by side. */
export function FiringView({ firing, onClose }: { readonly firing: TestedWatchFiring; readonly onClose: () => void }) {
  const { watchName, kind, firedAt, state, rows = [], links, sources, isTruncated, generations } = firing;
  const count = (firing.addedCount ?? 0) + (firing.changedCount ?? 0) + (firing.removedCount ?? 0);
  const isValue = rows.length === 0 && firing.message === undefined;
  return (
    <section class="card firing" aria-label="Firing">
      <header class="read-head">
        <h3>
          {kindText(kind)}: {watchName}
        </h3>
        <StateBadge state={state} />
        <span class="spacer" />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </header>
      <p>
        {instantText(firedAt)} UTC, {firingText(firing)}
      </p>
      {isValue && <SideBySide caption="The value" before={firing.before} after={firing.after} />}
      {rows.map(({ change, id, before, after }) => (
        <div key={id}>
          <h4>
            {change}: <code>{id}</code>
          </h4>
          <SideBySide caption={`${change} ${id}`} before={before} after={after} />
        </div>
      ))}
      {count > rows.length && (
        <p class="quiet">
          The first {rows.length} of {count} rows.
        </p>
      )}
      {isTruncated && <p class="quiet">A value was left out because of its size; the whole answer has it.</p>}
      <footer class="answer-facts">
        <ServiceLink path={links.answer}>The whole answer</ServiceLink>
        {links.changes !== undefined && <ServiceLink path={links.changes}>All changed rows</ServiceLink>}
        {Object.entries(generations).map(([dataset, generation]) => (
          <span key={dataset}>
            {dataset} {firing.previousGenerations?.[dataset] ?? "–"} → {generation}
          </span>
        ))}
        {sources.map(({ name, url, licence }) => (
          <span key={name}>
            <SafeLink href={url}>{name}</SafeLink>, {licence}
          </span>
        ))}
      </footer>
    </section>
  );
}

/** A link to an answer of this service. */
function ServiceLink({ path, children }: { readonly path: string; readonly children: string }) {
  return <SafeLink href={new URL(path, location.origin).href}>{children}</SafeLink>;
}
