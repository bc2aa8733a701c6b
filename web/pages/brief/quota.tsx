import type { GetUsageResponse } from "../../../src/sdk/index.js";
import { instantText } from "../../format.js";
import { readFailureText } from "../../reads/failure-text.js";
import type { Read } from "../../reads/read.js";
import { session } from "../../session.js";
import { useStore } from "../../store.js";

/** Lowest tier of the plans that include briefs. */
const BRIEF_TIER = 1;

/** The remaining daily quota of briefs. */
export function Quota({ usage }: { readonly usage: Read<GetUsageResponse> }) {
  const who = useStore(session);
  if (usage.kind === "loading") return <span class="quiet">Reading the quota…</span>;
  if (usage.kind === "failed") {
    return <span class="quiet">The quota could not be read: {readFailureText(usage.failure, usage)}</span>;
  }
  const quota = usage.answer.data.quotas.find(({ name }) => name.startsWith("brief"));
  if (!quota) {
    const hasBriefs = who.kind === "in" && who.account.tier >= BRIEF_TIER;
    return (
      <span class="quiet">
        {hasBriefs ? "Briefs are not limited for this key." : "The plan of this key does not include briefs."}
      </span>
    );
  }
  return (
    <span class={quota.remaining === 0 ? "quota-empty" : "quiet"}>
      {quota.remaining} of {quota.limit} briefs left today; the quota resets at {instantText(quota.resetAt)} UTC
    </span>
  );
}
