import { useMemo, useRef } from "preact/hooks";
import { useNow } from "../../clock.js";
import { setParams, useAt, useParam } from "../../location.js";
import { COUNTRIES } from "./countries.js";
import { LayerPanel } from "./layer-panel.js";
import { FIRST_LAYERS, layersIn } from "./layers/layers.js";
import { boundsOf, type Camera, cameraOf, cameraText, type Size, showing } from "./map/view.js";
import { nextThing } from "./next-thing.js";
import { shownThings } from "./shown-things.js";
import { WINDOWS } from "./thing.js";
import { ThingDetails } from "./thing-details.js";
import { ThingList } from "./thing-list.js";
import { useLand } from "./use-land.js";
import { useLayers } from "./use-layers.js";
import { WorldMap } from "./world-map.js";
import "./world.css";

/**
 * Events on a world map. The address holds layers, place and zoom, window, country, the box for aircraft, and the
 * selected thing.
 */
export default function World() {
  const at = useAt();
  const now = useNow();
  const [layers, setLayers] = useParam("layers", FIRST_LAYERS);
  const [view] = useParam("view");
  const [windowId, setWindow] = useParam("window", "all");
  const [country] = useParam("country");
  const [chosen, setChosen] = useParam("thing");
  const [boxText] = useParam("box");
  const { land, failure: landFailure } = useLand();
  const on = useMemo(() => layersIn(layers), [layers]);
  const box = useMemo(() => boxIn(boxText), [boxText]);
  const stages = useLayers(on, { country, box });
  const camera = useMemo(() => cameraOf(view), [view]);
  const size = useRef<Size>({ width: 1000, height: 500 });
  const looking = useRef<Camera>(camera);
  looking.current = camera;

  const window = WINDOWS.find(({ id }) => id === windowId) ?? WINDOWS[3];
  const isBounded = Number.isFinite(window.lengthMs);
  const end = !isBounded ? 0 : at === undefined ? now : Date.parse(at);
  const all = stages.map(({ things }) => things);
  const things = useMemo(
    () => shownThings(all.flat(), { end, lengthMs: window.lengthMs, country }, land),
    [...all, end, window, country, land],
  );
  const shown = useMemo(() => countsOf(things), [things]);
  const lacking = stages.filter(({ isOn, lack }) => isOn && lack !== undefined);
  const thing = things.find(({ key }) => key === chosen);
  const stage = stages.find(({ layer }) => layer.id === thing?.layer);

  const toggle = (id: string, isOn: boolean): void => {
    const next = new Set(on);
    if (isOn) next.add(id);
    else next.delete(id);
    setLayers(next.size === 0 ? "none" : [...next].join());
    if (id === "aircraft" && isOn) askForAircraft();
  };
  const askForAircraft = (): void => {
    const bounds = boundsOf(looking.current, size.current);
    setParams({ box: bounds.map((degrees) => degrees.toFixed(1)).join() });
  };
  const chooseCountry = (code: string): void => {
    const bounds = land?.boundsOf(code);
    setParams({ country: code, view: bounds ? cameraText(showing(bounds, size.current)) : undefined });
  };
  const step = (by: 1 | -1): void => {
    const next = nextThing(things, chosen, by);
    if (next) setChosen(next.key);
  };

  return (
    <>
      <header class="page-head">
        <h1>World</h1>
        <label class="field">
          Window
          <select value={window.id} onChange={({ currentTarget }) => setWindow(currentTarget.value)}>
            {WINDOWS.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Country
          <select class="country" value={country} onChange={({ currentTarget }) => chooseCountry(currentTarget.value)}>
            <option value="">All</option>
            {COUNTRIES.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <p class="quiet">{filterText(isBounded, country)}</p>
      </header>
      {lacking.map(({ layer, lack, state }) => (
        <p key={layer.id} class={`notice ${state ?? "failed"}`} role="status">
          <strong>{layer.name}</strong>: {lack}
        </p>
      ))}
      <div class={`world${thing ? " with-thing" : ""}`}>
        <LayerPanel
          stages={stages}
          shown={shown}
          onToggle={toggle}
          onDemand={askForAircraft}
          isPast={at !== undefined}
        />
        <WorldMap
          things={things}
          land={land}
          landFailure={landFailure}
          country={country}
          camera={camera}
          chosen={chosen}
          onCamera={(next, nextSize) => {
            size.current = nextSize;
            setParams({ view: cameraText(next) });
          }}
          onChoice={setChosen}
          onStep={step}
        />
        {thing && stage && <ThingDetails thing={thing} stage={stage} onClose={() => setChosen("")} />}
      </div>
      {chosen !== "" && !thing && (
        <p class="notice" role="status">
          The selected item is not shown: it may be outside the window or country, its layer may be off or still
          loading, or it may be gone.{" "}
          <button type="button" onClick={() => setChosen("")}>
            Clear the selection
          </button>
        </p>
      )}
      <ThingList things={things} chosen={chosen} onChoice={setChosen} />
    </>
  );
}

function countsOf(things: readonly { readonly layer: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { layer } of things) counts.set(layer, (counts.get(layer) ?? 0) + 1);
  return counts;
}

function boxIn(text: string): readonly number[] {
  const box = text.split(",").map(Number);
  return text !== "" && box.length === 4 && box.every(Number.isFinite) ? box : [];
}

/** A note on how the filters treat items without a time or a country. */
function filterText(isBounded: boolean, country: string): string {
  const texts = [
    isBounded && "Items without a time are shown in every window.",
    country !== "" &&
      "If the record of an item names no country, its position decides. The outlines of countries are not exact.",
  ];
  return texts.filter(Boolean).join(" ");
}
