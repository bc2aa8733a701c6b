/** What the platform paths tell of the running service itself. */
export interface ServiceFacts {
  readonly version: string;
  readonly startedAt: number;
  /** The data comes from the built-in simulator. */
  readonly simulated: boolean;
  readonly store: "sqlite" | "postgres";
  /** Why the store cannot be used at present, in a sentence for everybody; undefined while it can. */
  storeTrouble(): string | undefined;
  /** Settings that sources can use, and whether they are set; never their values. */
  readonly credentials: readonly {
    readonly variable: string;
    readonly isSet: boolean;
    readonly description: string;
    readonly sources: readonly string[];
  }[];
  /** How the newest read of each kind went that a request made of an upstream. */
  onDemand(): readonly object[];
  /** Ids of the stored token keys that cannot be read, which are passed over. */
  unreadableTokenKeys(): readonly string[];
  /** What is used of each budget of paid calls in the current billing cycle. */
  budgets(): Promise<readonly object[]>;
}

/** Version of the published contract that is served. */
export const CONTRACT_VERSION = "1.0.0";
