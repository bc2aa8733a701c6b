import type { CompanyEvidenceReference } from "../event-records.js";

/** Evidence on one company, as a provider found it. A finding does not contain its assessment. */
export interface Finding {
  readonly provider: CompanyEvidenceReference["provider"];
  /**
   * Id at the provider, such as an accession number, the canonical link of an item, or the id of an entry in a list.
   * Unique per provider.
   */
  readonly sourceId: string;
  readonly canonicalUrl: string;
  readonly publisher: string;
  /** Equal for findings of one family of publishers. Copies of one text are also treated as one origin. */
  readonly origin: string;
  readonly authorityTier: CompanyEvidenceReference["authorityTier"];
  readonly title: string;
  /** Bounded plain text. */
  readonly excerpt: string;
  /** Epoch ms. */
  readonly publishedAt: number;
  /** Confidence that the text is about the company, 0 to 1. */
  readonly attribution: number;
  /** The evidence that the text is about the company, such as `CIK 320193` or `name in title`. */
  readonly matchedBy: string;
  /** The items of an SEC filing, such as `5.02`. */
  readonly filingItems?: readonly string[];
  /** True if the finding changes an earlier report, as an amended filing does. */
  readonly isCorrection?: true;
  /** Source id of the provider's earlier finding that this one withdraws, as a delisting does. */
  readonly withdraws?: string;
}
