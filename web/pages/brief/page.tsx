import { useEffect, useState } from "preact/hooks";
import { onDatasetChange } from "../../live.js";
import { setParams, useAt, useView } from "../../location.js";
import { ReadFrame } from "../../parts/read-frame.js";
import { useRead } from "../../reads/read.js";
import { BriefBody } from "./brief-body.js";
import { BriefForm } from "./brief-form.js";
import { Quota } from "./quota.js";
import "./brief.css";

/**
 * The brief of a country, with evidence for each claim. Each read counts against a quota, so changed data does not make
 * the page read again.
 */
export default function Brief() {
  const { params } = useView();
  const at = useAt();
  const countryCode = (params.get("country") ?? "").toUpperCase();
  const framework = params.get("framework") ?? "";
  const isWanted = /^[A-Z]{2}$/.test(countryCode);
  const options = { hasPast: false, isLive: false };
  const read = useRead("get-country-intel-brief", { countryCode, framework }, { ...options, isWanted });
  const usage = useRead("get-usage", {}, options);
  const answer = read.kind === "ready" ? read.answer : undefined;
  const { again: readUsage } = usage;
  useEffect(() => {
    if (read.kind !== "loading") readUsage();
  }, [read.kind, answer, readUsage]);
  const isOutdated = useIsOutdated(answer);
  return (
    <>
      <header class="page-head">
        <h1>Brief</h1>
        <Quota usage={usage} />
      </header>
      {at !== undefined && (
        <p class="notice">
          A brief is written on request and has no history: this one describes the present, not the instant shown.
        </p>
      )}
      <BriefForm
        key={`${countryCode} ${framework}`}
        countryCode={countryCode}
        framework={framework}
        onChoice={(choice) => {
          const isSame = choice.countryCode === countryCode && choice.framework === framework;
          if (isSame) read.again();
          else setParams({ country: choice.countryCode, framework: choice.framework });
        }}
      />
      {isWanted ? (
        <>
          {isOutdated && (
            <p class="notice" role="status">
              The evidence has changed since this brief was written.{" "}
              <button type="button" onClick={read.again}>
                Read it again
              </button>
            </p>
          )}
          <ReadFrame read={read} title={answer ? answer.data.countryName : "Brief"} canWatch={false}>
            {(brief) => <BriefBody brief={brief} />}
          </ReadFrame>
        </>
      ) : (
        <p class="notice">Choose a country and read its brief. Each reading counts against the daily quota.</p>
      )}
    </>
  );
}

/** True if a dataset behind the answer has changed since the read. */
function useIsOutdated(answer: { readonly generation: Readonly<Record<string, number>> } | undefined): boolean {
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    setOutdated(false);
    if (!answer) return;
    return onDatasetChange((dataset) => {
      if (dataset === "*" || Object.hasOwn(answer.generation, dataset)) setOutdated(true);
    });
  }, [answer]);
  return isOutdated;
}
