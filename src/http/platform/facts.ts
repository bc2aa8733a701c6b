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
  /** Outcomes of the newest on-demand upstream read of each kind. */
  onDemand(): LongHealth["onDemand"];
  /** Ids of the stored token keys that cannot be read and are skipped. */
  unreadableTokenKeys(): readonly string[];
  /** Use of each budget of paid calls in the current billing cycle. Settles soon, even if the store does not answer. */
  budgets(): Promise<BudgetUses>;
  /** Figures of the stores of services. Settles soon, even if the store does not answer. */
  figures(): Promise<StoreFigures>;
}

/** Figures of each service that has a store, or the reason why they are unknown as a public sentence. */
export type StoreFigures =
  | {
      readonly figures: Readonly<Record<string, Readonly<Record<string, number>>>>;
      readonly whyUnknown?: undefined;
    }
  | { readonly figures: null; readonly whyUnknown: string };

/** The use of each budget, or the reason why it is unknown as a public sentence. */
export type BudgetUses =
  | { readonly uses: NonNullable<LongHealth["budgets"]>; readonly whyUnknown?: undefined }
  | { readonly uses: null; readonly whyUnknown: string };

/** Version of the published contract that is served. */
export const CONTRACT_VERSION = "1.0.0";
