/** Thrown if a caller already has the maximum number of running projections and of waiting ones. */
export class ProjectionSlotsFull extends Error {
  constructor(account: string, runningMax: number, waitingMax: number) {
    super(`caller ${account} has ${runningMax} projections running and ${waitingMax} waiting`);
    this.name = "ProjectionSlotsFull";
  }
}

export interface SlotSettings {
  /** Maximum number of concurrent projections per caller. */
  readonly runningMax: number;
  /**
   * Maximum number of further projections that wait for a slot; enough for a batch, whose items all arrive together.
   */
  readonly waitingMax: number;
}

interface Account {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits the concurrent projections of each caller. A caller is identified by an account, a key or an address. Idle
 * callers take no memory.
 */
export class ProjectionSlots {
  private readonly settings: SlotSettings;
  private readonly accounts = new Map<string, Account>();

  constructor(settings: SlotSettings = { runningMax: 4, waitingMax: 40 }) {
    this.settings = settings;
  }

  /**
   * Runs `work` when the caller has a free slot, in order of arrival. Returns the result directly if a slot is free
   * and the work is synchronous. Throws `ProjectionSlotsFull` if too many are waiting.
   */
  run<Result>(accountId: string, work: () => Result | Promise<Result>): Result | Promise<Result> {
    const account = this.account(accountId);
    if (account.running < this.settings.runningMax) {
      account.running += 1;
      return this.occupy(accountId, account, work);
    }
    const { runningMax, waitingMax } = this.settings;
    if (account.waiting.length >= waitingMax) throw new ProjectionSlotsFull(accountId, runningMax, waitingMax);
    const slot = new Promise<void>((resolve) => account.waiting.push(resolve));
    return slot.then(() => this.occupy(accountId, account, work));
  }

  private account(accountId: string): Account {
    const existing = this.accounts.get(accountId);
    if (existing !== undefined) return existing;
    const account: Account = { running: 0, waiting: [] };
    this.accounts.set(accountId, account);
    return account;
  }

  private occupy<Result>(id: string, account: Account, work: () => Result | Promise<Result>): Result | Promise<Result> {
    let result: Result | Promise<Result>;
    try {
      result = work();
    } catch (error) {
      this.leave(id, account);
      throw error;
    }
    if (result instanceof Promise) return result.finally(() => this.leave(id, account));
    this.leave(id, account);
    return result;
  }

  /** Hands the slot to the longest-waiting projection, so that a new arrival cannot take it first. */
  private leave(id: string, account: Account): void {
    const next = account.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    account.running -= 1;
    if (account.running === 0) this.accounts.delete(id);
  }
}
