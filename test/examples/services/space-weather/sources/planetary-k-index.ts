import { Type } from "typebox";
import { BadRow, SourceFailure, source, step } from "../../../../../src/contract/source.js";
import { isoInstant } from "../../../../../src/kit/iso-instant.js";

/** The planetary K index at an instant. */
export interface StoredKIndex {
  /** Epoch ms. */
  readonly at: number;
  /** 0 (quiet) to 9 (extreme storm), in thirds. */
  readonly kIndex: number;
}

/** The estimated planetary K index over the last few hours, one value a minute, oldest first. */
export const planetaryKIndex = source({
  id: "planetary-k-index",
  title: "NOAA Space Weather Prediction Center, planetary K index",
  home: "https://www.swpc.noaa.gov/products/planetary-k-index",
  seen: "described",
  licence: { name: "US government work", attribution: "NOAA SWPC", open: true },
  steps: {
    minutes: step({
      request: () => ({
        key: "minutes",
        url: "https://services.swpc.noaa.gov/json/planetary_k_index_1m.json",
      }),
      format: { kind: "json" },
      row: Type.Object({ time_tag: Type.String(), estimated_kp: Type.Number() }),
      rows(document) {
        if (!Array.isArray(document)) throw new SourceFailure("changed", "expected a list of minutes");
        return document;
      },
      record({ time_tag, estimated_kp }): StoredKIndex {
        // The feed writes UTC without an offset.
        const at = isoInstant(`${time_tag}Z`);
        if (at === undefined) throw new BadRow(`time_tag is not a time: ${time_tag}`);
        return { at, kIndex: estimated_kp };
      },
    }),
  },
  observedAt: ({ at }) => at,
  ranges: { kIndex: [0, 9] },
});
