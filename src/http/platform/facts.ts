import type { LongHealth } from "./answers/health.js";

/** Facts about the running service that the platform paths serve. */
export interface ServiceFacts {
  readonly version: string;
  readonly startedAt: number;
  /** True if the data comes from the built-in simulator. */
  readonly simulated: boolean;
  readonly store: "sqlite" | "postgres";
  /** The reason why the store is unavailable, as a public sentence; undefined while it is available. */
  storeTrouble(): string | undefined;
  /** The settings of source credentials, and whether each is set; never their values. */
  readonly credentials: readonly {
    readonly variable: string;
    readonly isSet: boolean;
    readonly description: string;
    readonly sources: readonly string[];
  }[];
  /** The outcome of the latest on-demand upstream read of each kind. */
  onDemand(): LongHealth["onDemand"];
  /** Ids of the stored token keys that cannot be read and are skipped. */
  unreadableTokenKeys(): readonly string[];
  /**
   * Use of each budget of paid calls in the current billing cycle. The promise settles quickly, even if the store
   * hangs.
   */
  budgets(): Promise<BudgetUses>;
  /** Figures of the stores of services. The promise settles quickly, even if a store hangs. */
  figures(): Promise<StoreFigures>;
}

/**
 * Figures of each service that has a store. If they are unknown, `whyUnknown` is the reason as a public sentence.
 */
export type StoreFigures =
  | {
      readonly figures: Readonly<Record<string, Readonly<Record<string, number>>>>;
      readonly whyUnknown?: undefined;
    }
  | { readonly figures: null; readonly whyUnknown: string };

/** The use of each budget or, as a public sentence, the reason why it is unknown. */
export type BudgetUses =
  | { readonly uses: NonNullable<LongHealth["budgets"]>; readonly whyUnknown?: undefined }
  | { readonly uses: null; readonly whyUnknown: string };

/** Version of the published contract that is served. */
export const CONTRACT_VERSION = "1.0.0";
