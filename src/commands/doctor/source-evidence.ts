import type { AnySource } from "../../contract/source.js";
import type { Finding } from "./finding.js";

/** The finding of `vigil doctor` on sources whose decoders have never read a real payload. */
export function evidenceFinding(sources: readonly Pick<AnySource, "id" | "seen">[]): Finding {
  const described = sources.filter(({ seen }) => seen === "described").map(({ id }) => id);
  const counted = `${sources.length - described.length} of ${sources.length} decoders ran on a real payload`;
  const follow = described.length === 1 ? "follows" : "follow";
  const says =
    described.length === 0
      ? counted
      : `${counted}; ${described.length} ${follow} the documentation only: ${described.join(", ")}. vigil doctor --sources tries them`;
  return { state: "ok", what: "payloads", says };
}
