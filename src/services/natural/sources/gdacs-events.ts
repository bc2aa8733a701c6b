import { Type } from "typebox";
import { Value } from "typebox/value";
import { LeftOut, SourceFailure, source, step } from "../../../contract/source.js";
import { DAY_MS } from "../../../kit/clock.js";
import { memberOf } from "../../../kit/member-of.js";
import { type Category, categories, type ReportedEvent } from "../records.js";
import { nameAlias, stormNameIn } from "../rules/storm-name.js";
import { knotsOfKmh, stormCategoryOf } from "../rules/storm-scale.js";
import { eventRanges } from "./event-ranges.js";
import { instantOf, webAddress } from "./instants.js";

const categoryOfType: Readonly<Record<string, Category>> = {
  EQ: "earthquakes",
  FL: "floods",
  TC: "severeStorms",
  VO: "volcanoes",
  WF: "wildfires",
  DR: "drought",
};

/**
 * A drought that GDACS marks as not current is over if its entry was last modified more than this time after the
 * drought's last report. Drought reports are ten days apart.
 */
const DROUGHT_OVER_AFTER_MS = 30 * DAY_MS;
/** Agencies that report one-minute mean winds. */
const ONE_MINUTE_AGENCIES: ReadonlySet<string> = new Set(["NOAA", "JTWC", "NHC"]);

const Collection = Type.Object({ type: Type.Literal("FeatureCollection"), features: Type.Array(Type.Unknown()) });

/** Orange and red alerts of the Global Disaster Alert and Coordination System. */
export const gdacsEvents = source({
  id: "gdacs-events",
  title: "GDACS, disaster alerts (GeoJSON)",
  home: "https://www.gdacs.org/gdacsapi/swagger/index.html",
  seen: "recorded",
  licence: {
    name: "Reuse with credit",
    url: "https://www.gdacs.org/About/termofuse.aspx",
    attribution: "Global Disaster Alert and Coordination System (GDACS), European Commission and United Nations",
    open: true,
  },
  steps: {
    events: step({
      request: () => ({
        key: "events",
        url: "https://www.gdacs.org/gdacsapi/api/events/geteventlist/SEARCH?eventlist=EQ;TC;FL;VO;DR;WF",
      }),
      format: { kind: "json" },
      row: Type.Object({
        geometry: Type.Object({ type: Type.Literal("Point"), coordinates: Type.Array(Type.Number(), { minItems: 2 }) }),
        properties: Type.Object({
          eventtype: Type.String(),
          eventid: Type.Union([Type.Integer(), Type.String()]),
          eventname: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          name: Type.String(),
          description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          alertlevel: Type.String(),
          fromdate: Type.String(),
          todate: Type.String(),
          datemodified: Type.String(),
          iscurrent: Type.String(),
          source: Type.Optional(Type.Union([Type.String(), Type.Null()])),
          url: Type.Optional(Type.Object({ report: Type.Optional(Type.String()) })),
          severitydata: Type.Optional(
            Type.Object({ severity: Type.Number(), severitytext: Type.String(), severityunit: Type.String() }),
          ),
        }),
      }),
      rows(document) {
        if (!Value.Check(Collection, document))
          throw new SourceFailure("changed", "expected a GeoJSON FeatureCollection");
        return document.features;
      },
      record({ geometry, properties }): ReportedEvent | LeftOut {
        const { eventtype, eventid, alertlevel, severitydata: severity } = properties;
        const category = memberOf(categoryOfType, eventtype);
        const [endsAt, modifiedAt] = [instantOf(properties.todate), instantOf(properties.datemodified)];
        if (category === undefined) return new LeftOut("other kind of event");
        if (alertlevel.toLowerCase() === "green") return new LeftOut("green alert");
        const [lon = 0, lat = 0] = geometry.coordinates;
        // `todate` may be a forecast. The event cannot have been observed after its entry was modified, so the earlier
        // time is used.
        const date = Math.min(endsAt, modifiedAt);
        const sourceUrl = webAddress(properties.url?.report);
        const isMeasured = severity !== undefined && severity.severity > 0 && severity.severityunit !== "";
        // Between two reports, GDACS marks droughts as not current even if they are ongoing.
        const isOver =
          properties.iscurrent === "false" && (category !== "drought" || modifiedAt - endsAt > DROUGHT_OVER_AFTER_MS);
        const event: ReportedEvent = {
          id: `gdacs:${eventtype}${eventid}`,
          title: properties.name,
          description: (isMeasured && severity.severitytext.trim()) || (properties.description ?? ""),
          category,
          categoryTitle: categories[category],
          lat,
          lon,
          date,
          ...(isMeasured && { magnitude: severity.severity, magnitudeUnit: severity.severityunit }),
          sourceUrl,
          sourceName: "GDACS",
          closed: isOver,
        };
        if (category !== "severeStorms") return event;
        const name = stormNameIn(properties.eventname ?? "");
        // The text may say "Tropical Depression" with 287 km/h, because the number is the highest wind of the storm's
        // lifetime.
        const windKt = severity?.severityunit === "km/h" ? knotsOfKmh(severity.severity) : undefined;
        const isOneMinute = ONE_MINUTE_AGENCIES.has(properties.source ?? "");
        const wind = {
          ...(windKt !== undefined && { windKt }),
          ...(windKt !== undefined && isOneMinute && { windAveragingPeriodMinutes: 1 as const }),
        };
        return {
          ...event,
          ...(windKt !== undefined && {
            magnitude: windKt,
            magnitudeUnit: "kts",
            stormCategory: stormCategoryOf(windKt),
          }),
          stormId: `${eventtype}${eventid}`,
          ...(name !== undefined && { stormName: name }),
          ...wind,
          canonicalAliases: name === undefined ? [] : [nameAlias(name)],
          agencyObservations: [
            {
              agency: "GDACS",
              agencyId: `${eventtype}${eventid}`,
              observedAt: date,
              lat,
              lon,
              ...wind,
              status: alertlevel,
              sourceName: "GDACS",
              sourceUrl,
            },
          ],
        };
      },
    }),
  },
  recordsMin: 0,
  observedAt: ({ date }) => date,
  ranges: eventRanges,
});
