import { ageless, type ContentAges, days } from "../../../contract/content-age.js";

const noDate = ageless("The files have no date of their own.");

/** The maximum content age, by dataset and part. */
export const contentAges = {
  sanctionsLists: { parts: { sdn: noDate, consolidated: noDate, sema: days(180), un: days(30) } },
} as const satisfies Readonly<Record<string, ContentAges>>;
