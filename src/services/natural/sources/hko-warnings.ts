import { Type } from "typebox";
import { Value } from "typebox/value";
import { LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { categories, type ReportedEvent } from "../records.js";
import { instantOf } from "./instants.js";

const HONG_KONG = { lat: 22.3, lon: 114.17 };

const Signal = Type.Object({
  name: Type.String({ minLength: 1 }),
  code: Type.String({ minLength: 1 }),
  type: Type.Optional(Type.String()),
  actionCode: Type.Optional(Type.String()),
  issueTime: Type.String(),
  updateTime: Type.Optional(Type.String()),
});

/**
 * The tropical cyclone signal in force in Hong Kong. The list does not state the storm's position, so the event has the
 * position of Hong Kong.
 */
export const hkoWarnings = source({
  id: "hko-warnings",
  title: "Hong Kong Observatory, weather warnings in force",
  home: "https://www.hko.gov.hk/en/abouthko/opendata_intro.htm",
  seen: "described",
  licence: {
    name: "HKO open data terms",
    url: "https://www.hko.gov.hk/en/readme/openData.htm",
    attribution: "Hong Kong Observatory",
    open: true,
  },
  steps: {
    warnings: step({
      request: () => ({
        key: "warnings",
        url: "https://data.weather.gov.hk/weatherAPI/opendata/weather.php?dataType=warnsum&lang=en",
      }),
      format: { kind: "json" },
      row: Signal,
      rows(document) {
        const Warnings = Type.Record(Type.String(), Type.Unknown());
        if (!Value.Check(Warnings, document)) throw new SourceFailure("changed", "expected an object of warnings");
        const unlike = Object.values(document).find((warning) => typeof warning !== "object" || warning === null);
        if (unlike !== undefined) throw new SourceFailure("changed", "expected an object for each warning");
        return Object.hasOwn(document, "WTCSGNL") ? [document["WTCSGNL"]] : [];
      },
      // On most days no signal is in force.
      rowsMin: 0,
      record({ name, code, type = "", actionCode = "", issueTime, updateTime }): ReportedEvent | LeftOut {
        const issuedAt = instantOf(issueTime);
        if (actionCode === "CANCEL") return new LeftOut("cancelled");
        return {
          id: `hko:WTCSGNL-${issuedAt}`,
          title: type === "" ? `${name}, Hong Kong` : `${name} ${type}, Hong Kong`,
          description: "The position is that of Hong Kong; the publisher gives no position for the storm.",
          category: "severeStorms",
          categoryTitle: categories.severeStorms,
          ...HONG_KONG,
          date: updateTime === undefined ? issuedAt : instantOf(updateTime),
          sourceUrl: "https://www.hko.gov.hk/en/wservice/tsheet/tcwarn.htm",
          sourceName: "Hong Kong Observatory",
          closed: false,
          classification: code,
        };
      },
    }),
  },
  recordsMin: 0,
  observedAt: ({ date }) => date,
});
