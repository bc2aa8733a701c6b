import { AnswerFacts } from "../../parts/answer-facts.js";
import { CallMenu } from "../../parts/call-menu.js";
import { DatasetSources } from "../../parts/dataset-sources.js";
import { WatchLink } from "../../parts/read-frame.js";
import { SafeLink } from "../../parts/safe-link.js";
import { StateBadge } from "../../parts/state-badge.js";
import { Glyph } from "./glyph.js";
import { placeText, type Thing } from "./thing.js";
import type { LayerStage } from "./use-layers.js";

interface ThingDetailsProps {
  readonly thing: Thing;
  readonly stage: LayerStage;
  readonly onClose: () => void;
}

/** The record of the selected thing, with its source and licence. */
export function ThingDetails({ thing, stage, onClose }: ThingDetailsProps) {
  const { layer, read, state } = stage;
  const { title, where, change, source, sourceUrl, place, row } = thing;
  return (
    <section class="card thing" aria-labelledby="thing-title">
      <div class="read-head">
        <h2 id="thing-title">{title}</h2>
        {change && <span class="change-mark">{change}</span>}
        <span class="spacer" />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <p class="row">
        <Glyph layer={layer} /> {layer.name} {state && <StateBadge state={state} />}
      </p>
      <dl class="facts">
        {where !== "" && <FactRow name="Where" value={where} />}
        {thing.facts().map(([name, value]) => (
          <FactRow key={name} name={name} value={value} />
        ))}
        <FactRow name="Position" value={place ? placeText(place) : "not known, so it is not on the map"} />
      </dl>
      <h3>Source</h3>
      {(source !== "" || sourceUrl !== undefined) && (
        <p>
          {source} {sourceUrl ? <SafeLink href={sourceUrl}>Source page</SafeLink> : null}
        </p>
      )}
      {layer.dataset === undefined ? (
        <p class="quiet">Read on demand. The record is not stored, so it has no generation and no proof.</p>
      ) : (
        <DatasetSources dataset={layer.dataset} />
      )}
      <details>
        <summary>Record</summary>
        <pre>{JSON.stringify(row, null, 2)}</pre>
      </details>
      {read.kind === "ready" && (
        <>
          <div class="row">
            <WatchLink read={read} /> <CallMenu call={read.call} />
          </div>
          <AnswerFacts answer={read.answer} call={read.call} />
        </>
      )}
    </section>
  );
}

function FactRow({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
