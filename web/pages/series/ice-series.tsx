import { useMemo } from "preact/hooks";
import type { OceanIceData } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import { useAt, useParam } from "../../location.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { MeasureChoice } from "./choices.js";
import { ICE_MEASURES, type IceMeasure, icePlot } from "./climate-plots.js";
import { PlotView } from "./plot-view.js";
import { ValueFacts } from "./value-facts.js";

const params = {};

const TRENDS = {
  record_low: "The lowest extent on record for the calendar day.",
  below_average: "Below the median of 1981-2010.",
  average: "About the median of 1981-2010.",
  above_average: "Above the median of 1981-2010.",
} as const;

/** Arctic sea ice against its climatology, and the state of the oceans. */
export function IceSeries() {
  const at = useAt();
  const [measureParam, setMeasure] = useParam("measure", "extent");
  const measure: IceMeasure = Object.hasOwn(ICE_MEASURES, measureParam) ? (measureParam as IceMeasure) : "extent";
  const read = useRead("get-ocean-ice-data", params);
  const current = useRead("get-ocean-ice-data", params, { hasPast: false, isWanted: at !== undefined });
  const oceans = read.kind === "ready" ? read.answer.data.data : undefined;
  const now = at !== undefined && current.kind === "ready" ? current.answer.data.data : undefined;
  const plot = useMemo(() => oceans && icePlot(oceans, measure), [oceans, measure]);
  const plotNow = useMemo(() => now && icePlot(now, measure), [now, measure]);
  return (
    <ReadFrame
      read={read}
      title="Arctic sea ice and the oceans"
      empty={{ when: ({ data }) => !data, text: "Nothing had been published by then." }}
    >
      {({ data }, answer) =>
        data && (
          <>
            <ValueFacts facts={factsOf(data)} />
            {data.arcticTrend && <p>{TRENDS[data.arcticTrend]}</p>}
            <div class="choices">
              <MeasureChoice
                options={Object.entries(ICE_MEASURES).map(([id, name]) => ({ id, name }))}
                chosen={measure}
                onChoice={setMeasure}
              />
            </div>
            {plot && <PlotView plot={plot} plotNow={plotNow} answer={answer} call={read.call} />}
            {data.seaLevelUnchangedSince !== undefined && (
              <p class="quiet">
                The source of the sea level states no date; its figures have not changed since{" "}
                {instantText(data.seaLevelUnchangedSince)} UTC.
              </p>
            )}
          </>
        )
      }
    </ReadFrame>
  );
}

const factsOf = (data: OceanIceData) =>
  [
    {
      name: "Sea ice extent, Arctic",
      value: data.arcticExtentMkm2,
      digits: 3,
      unit: "million km²",
      observedAt: data.arcticExtentObservedAt,
    },
    {
      name: "Extent minus median 1981-2010",
      value: data.arcticExtentAnomalyMkm2,
      digits: 3,
      unit: "million km²",
      observedAt: data.arcticExtentObservedAt,
    },
    {
      name: "Sea level above 1993",
      value: data.seaLevelMmAbove1993,
      digits: 1,
      unit: "mm",
      observedAt: undefined,
    },
    {
      name: "Sea level rise",
      value: data.seaLevelAnnualRiseMm,
      digits: 1,
      unit: "mm per year",
      observedAt: undefined,
    },
    {
      name: "Ocean heat, 0 to 700 m, anomaly",
      value: data.ohc0700mZj,
      digits: 2,
      unit: "ZJ (10²¹ J)",
      observedAt: data.ohc0700mZjObservedAt,
      of: "year",
    },
    {
      name: "Sea surface temperature against 1971-2000",
      value: data.sstAnomalyC,
      digits: 3,
      unit: "°C",
      observedAt: data.sstAnomalyCObservedAt,
      of: "month",
    },
  ] as const;
