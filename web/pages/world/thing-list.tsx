import { useMemo } from "preact/hooks";
import { instantText, numberText } from "../../format.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { Glyph } from "./glyph.js";
import { LAYERS } from "./layers/layers.js";
import { placeText, type Thing } from "./thing.js";

const NAMES = new Map(LAYERS.map((layer) => [layer.id, layer]));

const COLUMNS: readonly Column<Thing>[] = [
  { id: "what", name: "Title", cell: ({ title }) => title, sort: ({ title }) => title },
  { id: "layer", name: "Layer", cell: ({ layer }) => <LayerName id={layer} />, sort: ({ layer }) => layer },
  {
    id: "measure",
    name: "Measure",
    cell: ({ measure }) => measure,
    sort: ({ size }) => (size === "unknown" ? -1 : size),
  },
  { id: "where", name: "Where", cell: whereText, sort: whereText },
  {
    id: "at",
    name: "Time, UTC",
    cell: ({ at }) => (at === undefined ? "no time" : instantText(at)),
    sort: ({ at }) => at ?? 0,
  },
];

function whereText({ where, place }: Thing): string {
  return where === "" && place ? placeText(place) : where;
}

interface ThingListProps {
  readonly things: readonly Thing[];
  readonly chosen: string;
  readonly onChoice: (key: string) => void;
}

/** The things of the map as a table. */
export function ThingList({ things, chosen, onChoice }: ThingListProps) {
  const unplaced = useMemo(() => things.filter(({ place }) => !place).length, [things]);
  return (
    <section class="card thing-list" aria-labelledby="thing-list-title">
      <div class="read-head">
        <h2 id="thing-list-title">The same items as a list</h2>
        <span class="quiet">
          {numberText(things.length)} items{unplaced > 0 && `, ${numberText(unplaced)} without a position on the map`}
        </span>
      </div>
      {things.length === 0 ? (
        <p class="quiet">No items are shown. The layers say whether nothing happened or nothing is known.</p>
      ) : (
        <DataTable
          caption="Items on the map"
          columns={COLUMNS}
          rows={things}
          idOf={({ key }) => key}
          markOf={({ change }) => change}
          onChoice={({ key }) => onChoice(key)}
          chosen={chosen}
        />
      )}
    </section>
  );
}

function LayerName({ id }: { readonly id: string }) {
  const layer = NAMES.get(id);
  if (!layer) return null;
  return (
    <span class="layer-name">
      <Glyph layer={layer} /> {layer.name}
    </span>
  );
}
