import { LRUCache } from "lru-cache";
import { type Clock, isWithin, SECOND_MS } from "../kit/clock.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import type { Credential } from "./credential.js";
import type { Assurance, StoreContact } from "./store-contact.js";

export interface CredentialCacheParts {
  readonly clock: Clock;
  readonly contact: StoreContact;
  /**
   * Converts the text that identifies a credential, such as a key, to the credential's name in the store, such as the
   * key's hash. Default: no conversion.
   */
  readonly nameInStore?: (name: string) => string;
  /** Finds credentials by their names in the store. Revoked ones are not found; expired ones are. */
  readonly find: (namesInStore: readonly string[]) => Promise<ReadonlyMap<string, Credential>>;
}

interface Entry {
  readonly credential: Credential | undefined;
  readonly at: number;
}

/** Time for which a cached entry is used without a new lookup. */
const FRESH_MS = 60 * SECOND_MS;
const ENTRIES_MAX = 10_000;
/**
 * After a change of an account, at most this many entries are read again: the most recently used ones. All other
 * entries are dropped.
 */
const RELOADED_MAX = 1_000;
const RELOADED_AT_ONCE = 500;

/**
 * Credentials by name. All names in one cache are of one kind: keys, key ids or session tokens. Every entry was read
 * after the last known account change.
 */
export class CredentialCache {
  private readonly entries = new LRUCache<string, Entry>(entriesUpTo(ENTRIES_MAX));
  private readonly clock: Clock;
  private readonly contact: StoreContact;
  private readonly nameInStore: (name: string) => string;
  private readonly find: CredentialCacheParts["find"];
  private changes = 0;

  constructor({ clock, contact, nameInStore = (name) => name, find }: CredentialCacheParts) {
    this.clock = clock;
    this.contact = contact;
    this.nameInStore = nameInStore;
    this.find = find;
  }

  /** Returns a cached credential that needs no lookup; undefined if there is none. `now` is epoch ms. */
  recalled(name: string, now: number): Credential | undefined {
    const entry = this.entries.get(name);
    return entry && isFresh(entry, now) ? entry.credential : undefined;
  }

  /**
   * Returns a credential, or undefined if it is unknown. Synchronous if no lookup is needed. With the assurance
   * `remembered`, returns the cached credential for a limited time while the store is lost.
   */
  get(name: string, assurance: Assurance): Credential | undefined | Promise<Credential | undefined> {
    const entry = this.entries.get(name);
    if (entry && isFresh(entry, this.clock.now())) return entry.credential;
    const lookUp = (): Promise<Credential | undefined> => this.lookUp(name);
    // A credential that was unknown before may have been created since then, so it needs a confirmed lookup.
    if (assurance === "confirmed" || !entry?.credential) return this.contact.ask(lookUp);
    return this.contact.askOr(lookUp, entry.credential);
  }

  delete(name: string): void {
    this.entries.delete(name);
  }

  /** Drops all entries, and reads the most recently used ones again. Must be called after each change of an account. */
  async reload(): Promise<void> {
    const names = this.lastUsed();
    this.entries.clear();
    this.changes += 1;
    const { changes } = this;
    for (let from = 0; from < names.length; from += RELOADED_AT_ONCE) {
      const some = names.slice(from, from + RELOADED_AT_ONCE);
      const credentials = await this.contact.ask(() => this.find(some.map(this.nameInStore)));
      if (changes !== this.changes) return;
      for (const name of some) {
        const credential = credentials.get(this.nameInStore(name));
        if (credential) this.entries.set(name, { credential, at: this.clock.now() });
      }
    }
  }

  private async lookUp(name: string): Promise<Credential | undefined> {
    const { changes } = this;
    const nameInStore = this.nameInStore(name);
    const credential = (await this.find([nameInStore])).get(nameInStore);
    // If an account changed during the lookup, the result may predate the change, so it is not cached.
    if (changes === this.changes) this.entries.set(name, { credential, at: this.clock.now() });
    return credential;
  }

  /** Returns the names of known credentials: the `RELOADED_MAX` most recently used ones, the latest last. */
  private lastUsed(): readonly string[] {
    const names: string[] = [];
    for (const [name, { credential }] of this.entries.entries()) {
      if (credential) names.push(name);
      if (names.length === RELOADED_MAX) break;
    }
    return names.reverse();
  }
}

function isFresh({ at }: Entry, now: number): boolean {
  return isWithin(now, at, FRESH_MS);
}
