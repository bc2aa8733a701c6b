import { useEffect, useMemo, useState } from "preact/hooks";
import type { ListFeedDigestResponse, Trouble } from "../../../src/sdk/index.js";
import { instantText, spanText } from "../../format.js";
import { useAt } from "../../location.js";
import { type Column, DataTable } from "../../parts/data-table.js";
import { failureText } from "../../reads/failure-text.js";
import { feedTroubles } from "./feed-troubles.js";

const STATUS_TEXTS = {
  empty: "Failed, or had no entries",
  timeout: "Not read in time",
  "all-undated": "No entry has a readable date, so none is used",
  "partial-undated": "Some entries have no readable date and are left out",
} as const;

const STALE_TEXTS = {
  "": "",
  "empty-rebuild": "the latest build had no items",
  "build-error": "the latest build failed",
} as const;

/** Completeness of the digest: its feeds, what was left out, and the feeds with problems. */
export function FeedHealth({ digest }: { readonly digest: ListFeedDigestResponse }) {
  const { coverage, feedStatuses, generatedAt } = digest;
  const missing = Object.keys(coverage.categoryStates).filter((name) => coverage.categoryStates[name] === "missing");
  const feeds = Object.entries(feedStatuses);
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="feed-health">
      {coverage.servedStale && (
        <p class="notice stale">
          Older content is shown, because {STALE_TEXTS[coverage.staleReason] || "the latest build is too old"}. That
          content was {spanText(coverage.staleAgeSeconds * 1000)} old at the latest attempt to build.
        </p>
      )}
      {missing.length > 0 && <p class="notice partial">No feed was read for: {missing.join(", ")}.</p>}
      <p>
        {coverage.itemsServed} items of {coverage.publisherCount} publishers, from {coverage.feedCompleted} of{" "}
        {coverage.feedTotal} feeds
        {generatedAt !== undefined && `, built ${instantText(generatedAt)} UTC`}. The digest is{" "}
        <strong>{coverage.state}</strong>.
      </p>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          Feed health:{" "}
          {feeds.length === 0 ? "no feed has problems" : `${feeds.length} of ${coverage.feedTotal} have problems`}
        </summary>
        <p class="quiet">
          Left out: {coverage.droppedUndated} entries without a date, {coverage.droppedFreshness} older than four days,{" "}
          {coverage.droppedFeedCap} beyond five per feed, {coverage.droppedCategoryCap} beyond twenty per category.
        </p>
        {isOpen && feeds.length > 0 && <FeedTable feeds={feeds} />}
      </details>
    </div>
  );
}

type FeedRow = readonly [feed: string, status: keyof typeof STATUS_TEXTS];

/** The feeds with problems. The service states why a feed fails now, but not why it failed in the past. */
function FeedTable({ feeds }: { readonly feeds: readonly FeedRow[] }) {
  const isNow = useAt() === undefined;
  const [troubles, setTroubles] = useState<ReadonlyMap<string, Trouble>>(new Map());
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (isNow) feedTroubles().then(setTroubles, setFailure);
  }, [isNow]);
  const columns = useMemo((): readonly Column<FeedRow>[] => {
    const troubleColumn: Column<FeedRow> = {
      id: "trouble",
      name: "Error",
      cell: ([feed]) => {
        const trouble = troubles.get(feed);
        return trouble && `${trouble.error ?? trouble.state}, since ${instantText(trouble.since)} UTC`;
      },
    };
    return [
      { id: "feed", name: "Feed", cell: ([feed]) => feed, sort: ([feed]) => feed },
      { id: "status", name: "Status", cell: ([, status]) => status, sort: ([, status]) => status },
      { id: "meaning", name: "Meaning", cell: ([, status]) => STATUS_TEXTS[status] ?? "" },
      ...(isNow ? [troubleColumn] : []),
    ];
  }, [troubles, isNow]);
  return (
    <>
      {failure !== undefined && <p class="notice partial">The errors could not be read: {failureText(failure)}</p>}
      <DataTable caption="Feeds with problems" columns={columns} rows={feeds} idOf={([feed]) => feed} />
    </>
  );
}
