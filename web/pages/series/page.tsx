import { useHref, useView } from "../../location.js";
import { Co2Series } from "./co2-series.js";
import { CpiSeries } from "./cpi-series.js";
import { IceSeries } from "./ice-series.js";
import { YieldSeries } from "./yield-series.js";
import "./series.css";

const SERIES = [
  { id: "cpi", name: "Consumer prices", View: CpiSeries },
  { id: "yields", name: "Yield curve", View: YieldSeries },
  { id: "co2", name: "CO2", View: Co2Series },
  { id: "ice", name: "Sea ice", View: IceSeries },
] as const;

/** Values over time. The address holds the series, measure, lines, day and range. */
export default function Series() {
  const { path, params } = useView();
  const href = useHref();
  const shown = SERIES.find(({ id }) => id === params.get("series")) ?? SERIES[0];
  return (
    <>
      <header class="page-head">
        <h1>Series</h1>
        <nav class="tabs" aria-label="Series">
          {SERIES.map(({ id, name }) => (
            <a key={id} href={href(path, { series: id })} aria-current={id === shown.id ? "page" : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <shown.View key={shown.id} />
    </>
  );
}
