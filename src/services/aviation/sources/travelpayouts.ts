import { Type } from "typebox";
import { Value } from "typebox/value";
import { header } from "../../../contract/auth.js";
import { SourceFailure, type StepRequest } from "../../../contract/source.js";
import { isoInstant } from "../../../kit/iso-instant.js";

const TOKEN = "TRAVELPAYOUTS_API_TOKEN";

/**
 * Declarations shared by all feeds of Travelpayouts. The feeds serve cached prices that travellers found in recent
 * days.
 */
export const travelpayouts = {
  home: "https://support.travelpayouts.com/hc/en-us/articles/203956163-Aviasales-Data-API",
  licence: { name: "Travelpayouts terms", url: "https://www.travelpayouts.com/terms", open: false },
  auth: header("X-Access-Token", {
    variable: TOKEN,
    description: "Token for Travelpayouts; without it there are no flight prices and no cheapest dates",
  }),
};

export function travelpayoutsRequest(key: string, path: string, query: Readonly<Record<string, string>>): StepRequest {
  return {
    key,
    url: `https://api.travelpayouts.com/${path}?${new URLSearchParams(query)}`,
    timeoutMs: 5_000,
  };
}

const Refusal = Type.Object({ success: Type.Literal(false) });
const List = Type.Object({ data: Type.Array(Type.Unknown()) });

/** Extracts the rows of an answer. Refusals have status 200 too. */
export function travelpayoutsRows(document: unknown): readonly unknown[] {
  if (Value.Check(Refusal, document)) {
    throw new SourceFailure("unavailable", `Travelpayouts refused the request; check ${TOKEN}`);
  }
  if (!Value.Check(List, document)) throw new SourceFailure("changed", "expected data[]");
  return document.data;
}

/** Parses an instant with or without the Z of UTC. */
export function travelpayoutsInstant(text: string | null | undefined): number | undefined {
  if (!text) return undefined;
  return isoInstant(text) ?? isoInstant(`${text}Z`);
}
