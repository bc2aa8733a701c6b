import { useMemo } from "preact/hooks";
import type { Co2Monitoring } from "../../../src/sdk/index.js";
import { useAt, useParam } from "../../location.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { MeasureChoice } from "./choices.js";
import { CO2_MEASURES, type Co2Measure, co2Plot } from "./climate-plots.js";
import { PlotView } from "./plot-view.js";
import { ValueFacts } from "./value-facts.js";

const params = {};

/** CO2 at the reference station, and the other greenhouse gases. */
export function Co2Series() {
  const at = useAt();
  const [measureParam, setMeasure] = useParam("measure", "ppm");
  const measure: Co2Measure = Object.hasOwn(CO2_MEASURES, measureParam) ? (measureParam as Co2Measure) : "ppm";
  const read = useRead("get-co2-monitoring", params);
  const current = useRead("get-co2-monitoring", params, { hasPast: false, isWanted: at !== undefined });
  const monitoring = read.kind === "ready" ? read.answer.data.monitoring : undefined;
  const now = at !== undefined && current.kind === "ready" ? current.answer.data.monitoring : undefined;
  const plot = useMemo(() => monitoring && co2Plot(monitoring, measure), [monitoring, measure]);
  const plotNow = useMemo(() => now && co2Plot(now, measure), [now, measure]);
  return (
    <ReadFrame
      read={read}
      title="CO2 and other greenhouse gases"
      empty={{ when: (data) => !data.monitoring, text: "No measurement had been published by then." }}
    >
      {({ monitoring: gases }, answer) =>
        gases && (
          <>
            <ValueFacts facts={factsOf(gases)} />
            <div class="choices">
              <MeasureChoice
                options={Object.entries(CO2_MEASURES).map(([id, name]) => ({ id, name }))}
                chosen={measure}
                onChoice={setMeasure}
              />
            </div>
            {plot && <PlotView plot={plot} plotNow={plotNow} answer={answer} call={read.call} />}
          </>
        )
      }
    </ReadFrame>
  );
}

const factsOf = (gases: Co2Monitoring) =>
  [
    {
      name: `CO2, daily mean at ${gases.station}`,
      value: gases.currentPpm,
      digits: 2,
      unit: "ppm",
      observedAt: gases.measuredAt,
    },
    {
      name: "CO2 a year earlier",
      value: gases.yearAgoPpm,
      digits: 2,
      unit: "ppm",
      observedAt: gases.yearAgoPpmObservedAt,
    },
    {
      name: "CO2, monthly mean",
      value: gases.monthlyAverage,
      digits: 2,
      unit: "ppm",
      observedAt: gases.monthlyAverageObservedAt,
      of: "month",
    },
    {
      name: "Growth of CO2, global",
      value: gases.annualGrowthRate,
      digits: 2,
      unit: "ppm per year",
      observedAt: gases.annualGrowthRateObservedAt,
      of: "year",
    },
    {
      name: "Methane, global",
      value: gases.methanePpb,
      digits: 2,
      unit: "ppb",
      observedAt: gases.methanePpbObservedAt,
      of: "month",
    },
    {
      name: "Nitrous oxide, global",
      value: gases.nitrousOxidePpb,
      digits: 2,
      unit: "ppb",
      observedAt: gases.nitrousOxidePpbObservedAt,
      of: "month",
    },
  ] as const;
