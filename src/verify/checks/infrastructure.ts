import { type AnswerCheck, copied, rowsOf } from "../check.js";

interface Anomaly {
  readonly uuid: string;
  readonly startDate: number;
  readonly locationCode?: string;
}

export const trafficAnomalies: AnswerCheck = {
  operation: "infrastructure/list-internet-traffic-anomalies",
  what: "number of anomalies: for all countries and for one country",
  queries(stored) {
    const codes = new Set(rowsOf<Anomaly>(stored, "anomalies").map(({ locationCode }) => locationCode));
    return ["", ...[...codes].flatMap((code) => (code === undefined ? [] : [`country=${code}`]))];
  },
  recompute({ query, from }) {
    const country = query.get("country");
    const matches = rowsOf<Anomaly>(from("internet-traffic-anomalies"), "anomalies")
      .filter(({ locationCode }) => country === null || locationCode === country)
      .sort((a, b) => b.startDate - a.startDate || a.uuid.localeCompare(b.uuid));
    return { anomalies: matches.map(copied), totalCount: matches.length };
  },
};
