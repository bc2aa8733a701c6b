import { readFileSync } from "node:fs";
import { anyTextCell, countryCell, oneOf, rowsIn, textCell, textLike } from "../../../kit/csv-table.js";
import { ownFile } from "../../../kit/own-file.js";
import { digestVariants, isDigestVariant } from "./digest-variants.js";
import { type Feed, type FeedRow, feedKinds, feedOf } from "./feed-row.js";
import { type RiskGround, riskGrounds } from "./risk-grounds.js";

/**
 * A feed of the file. `documented` is the page on which the publisher documents the feed's address; it is empty if the
 * address was found in a public list.
 */
interface ListedFeed {
  readonly feed: Feed;
  readonly documented: string;
}

// The cast is needed because `Object.keys` returns string[].
const grounds = Object.keys(riskGrounds) as readonly RiskGround[];

export const slugCell = textLike(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  "lower-case letters and digits, separated by single hyphens",
);

/** Reads placements such as `full/politics tech/ai`: digest variants, each with one of its categories. */
function placementsCell(cell: string): FeedRow["placements"] {
  return cell.split(" ").map((place) => {
    const [variant = "", category = ""] = place.split("/");
    const categories: readonly string[] = isDigestVariant(variant) ? digestVariants[variant] : [];
    if (isDigestVariant(variant) && categories.includes(category)) return { variant, category };
    throw new Error("variants of the digest, each with one of its categories");
  });
}

const columns = {
  id: slugCell,
  publisher: textCell,
  family: slugCell,
  country: countryCell,
  language: textLike(/^(?:[a-z]{2})?$/, "an ISO 639-1 code, or empty"),
  byDefault: oneOf(["", "yes"]),
  kind: oneOf(feedKinds),
  ground: oneOf(["", ...grounds]),
  placements: placementsCell,
  url: textLike(/^https?:\/\/\S+$/, "an http or https address"),
  homepage: textCell,
  documented: anyTextCell,
};

type Cells = { readonly [K in keyof typeof columns]: ReturnType<(typeof columns)[K]> };

/** The feeds of src/data/feeds.csv in file order. The comments of the file describe the columns. */
export const feedFile: readonly ListedFeed[] = feedsIn(readFileSync(ownFile("data/feeds.csv"), "utf8"));

/**
 * Reads feeds from CSV text. Throws an error with the line and column of the first invalid cell. Built-in rows are not
 * checked against the schema, because checking them all would add a tenth of a second to each start. Only feeds that
 * the operator adds are checked.
 */
export function feedsIn(text: string): readonly ListedFeed[] {
  return rowsIn(text, "feeds.csv", columns).map(({ documented, ...cells }) => ({
    feed: feedOf(rowOf(cells)),
    documented,
  }));
}

function rowOf(cells: Omit<Cells, "documented">): FeedRow {
  const { id, publisher, family, homepage, url, country, language, byDefault, kind, ground, placements } = cells;
  return {
    id,
    publisher,
    family,
    homepage: `https://${homepage}`,
    url,
    country,
    ...(language !== "" && { language }),
    ...(byDefault === "yes" && { byDefault: true }),
    kind,
    risk: riskOf(ground),
    placements,
  };
}

export function riskOf(ground: RiskGround | ""): FeedRow["risk"] {
  return ground === "" ? { profile: "unknown", reason: "it has not been reviewed" } : { ...riskGrounds[ground] };
}
