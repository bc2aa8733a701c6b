import { StateBadge } from "../../parts/state-badge.js";
import { countText } from "./count-text.js";
import { Glyph } from "./glyph.js";
import type { LayerStage } from "./use-layers.js";

interface LayerPanelProps {
  readonly stages: readonly LayerStage[];
  /** Number of things shown, by layer. */
  readonly shown: ReadonlyMap<string, number>;
  readonly onToggle: (id: string, isOn: boolean) => void;
  /** Reads aircraft in the current view. */
  readonly onDemand: () => void;
  readonly isPast: boolean;
}

/** The layers, each with its switch, mark, data state and number of things. The panel doubles as the legend. */
export function LayerPanel({ stages, shown, onToggle, onDemand, isPast }: LayerPanelProps) {
  return (
    <fieldset class="layers">
      <legend>Layers</legend>
      {stages.map((stage) => {
        const { layer, isOn } = stage;
        return (
          <div key={layer.id} class={`layer${isOn ? " on" : ""}`}>
            <label>
              <input
                type="checkbox"
                checked={isOn}
                onChange={({ currentTarget }) => onToggle(layer.id, currentTarget.checked)}
              />
              <Glyph layer={layer} />
              <span>{layer.name}</span>
            </label>
            {isOn && <LayerFacts stage={stage} shown={shown.get(layer.id) ?? 0} />}
            {isOn && layer.isOnDemand && (
              <button type="button" onClick={onDemand}>
                Load aircraft in view
              </button>
            )}
            {isOn && isPast && !layer.hasPast && <span class="quiet">current, because positions have no history</span>}
          </div>
        );
      })}
      {isPast && (
        <p class="quiet">Rings mark what is different now: solid if changed, dashed if new, crossed out if gone.</p>
      )}
    </fieldset>
  );
}

function LayerFacts({ stage, shown }: { readonly stage: LayerStage; readonly shown: number }) {
  const { layer, read, things, state, total } = stage;
  return (
    <div class="layer-facts">
      {read.kind === "failed" && <span class="failed-mark">failed</span>}
      {read.kind === "loading" && <span class="quiet">{layer.isOnDemand ? "not read yet" : "reading…"}</span>}
      {state !== undefined && <StateBadge state={state} />}
      {read.kind === "ready" && <span>{countText(shown, things.length, total)}</span>}
      <span class="quiet">
        {layer.extent}. {shown > 0 && `Size: ${layer.sizes}.`}
      </span>
    </div>
  );
}
