import { allRowsOf, rowsOf, type Stored } from "../check.js";

/** The newest observation of a generation, epoch ms; null if there is none. */
export type NewestOf = (stored: Stored) => number | null;

type Row = Readonly<Record<string, unknown>>;

/** For datasets whose rows have no dates. */
const undated: NewestOf = () => null;

/** Returns a function that finds the latest time in these members of all rows. */
function latest(...members: readonly string[]): NewestOf {
  return (stored) => latestOf(allRowsOf<Row>(stored), members);
}

function latestOf(rows: readonly Row[], members: readonly string[]): number | null {
  let newest: number | null = null;
  for (const row of rows) {
    for (const member of members) {
      const at = row[member];
      if (typeof at === "number" && (newest === null || at > newest)) newest = at;
    }
  }
  return newest;
}

/** Finds the time of the newest entry. If several entries have the same address, only the last of them is used. */
function latestOnce(stored: Stored): number | null {
  return latestOf([...new Map(allRowsOf<Row>(stored).map((row) => [row["url"], row])).values()], ["publishedAt"]);
}

function latestItem(stored: Stored): number | null {
  const items = rowsOf<{ readonly items?: readonly Row[] }>(stored, "feeds").flatMap(({ items = [] }) => items);
  return latestOf(items, ["publishedAt"]);
}

/** The functions that find the newest observation, by the name of a dataset or, if it has a family, of the family. */
export const newestOf: Readonly<Record<string, NewestOf>> = {
  "air-quality": latest("measuredAt"),
  "airport-delays": latest("updatedAt", "sampledAt", "readAt"),
  "alpha-events": (stored) => {
    const acled = rowsOf<Row>(stored, "acled");
    return latestOf(acled.length > 0 ? acled : rowsOf<Row>(stored, "gdelt"), ["occurredAt"]);
  },
  "aviation-news": latestOnce,
  "beta-events": latest("dateEnd"),
  "climate-anomalies": latest("lastDay"),
  "climate-disasters": latest("observedAt"),
  "climate-news": latestOnce,
  "climate-normals": undated,
  "climate-reports": latest("publishedAt"),
  "co2-monitoring": (stored) => latestOf(rowsOf<Row>(stored, "daily"), ["at"]),
  "country-evidence": latest("at"),
  "digest-<variant>-<language>": latestItem,
  displacement: (stored) => {
    const [row] = rowsOf<{ readonly year: number }>(stored, "population");
    return row ? Date.UTC(row.year, 11, 31, 23, 59, 59, 999) : null;
  },
  earthquakes: latest("occurredAt"),
  "humanitarian-summary": (stored) => {
    const months = rowsOf<{ readonly referencePeriod: string }>(stored, "months");
    const days = months.map(({ referencePeriod }) => Date.parse(referencePeriod));
    return days.length === 0 ? null : Math.max(...days);
  },
  "internet-traffic-anomalies": latest("startDate"),
  "listed-companies": undated,
  "material-events": latest("filedAt"),
  "natural-events": latest("date"),
  "news-feeds": latest("publishedAt"),
  "ocean-ice": latest("day", "at", "month"),
  "sanctions-lists": (stored) => {
    const dates = allRowsOf<{ readonly publishedAt?: number; readonly listedAt?: number }>(stored);
    return latestOf(
      dates.map(({ publishedAt, listedAt }) => ({ at: publishedAt ?? listedAt })),
      ["at"],
    );
  },
  "us-cpi": latest("month"),
  "us-treasury-yields": latest("date"),
};
