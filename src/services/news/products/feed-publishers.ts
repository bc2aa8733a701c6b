import type { ReadSetting } from "../../../contract/setting.js";
import { feedsSetting } from "../catalogue/feeds-setting.js";
import type { FeedFacts } from "../digest-records.js";

/**
 * Returns the facts about each collected feed, such as its publisher, by feed id. For services that read the entries of
 * the feeds.
 */
export function feedPublishers(settingOf: ReadSetting): ReadonlyMap<string, FeedFacts> {
  return new Map(
    settingOf(feedsSetting).map(({ id, publisher, family, tier, risk, language = "en" }) => [
      id,
      { id, publisher, family, tier, risk: risk.profile, language },
    ]),
  );
}
