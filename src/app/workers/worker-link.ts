import type { Figures, Taken } from "../../limits/grant.js";
import { type GrantedLimiter, grantedLimiter } from "../../limits/granted-limiter.js";
import { LimiterLost } from "../../limits/limiter.js";
import type { Announcement, Announcements } from "../announcements.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** A worker's connection to the primary, which keeps the state that the processes of this machine share. */
export interface WorkerLink {
  readonly limiter: GrantedLimiter;
  readonly announcements: Announcements;
  /**
   * Resolves when the primary asks this worker to stop. The value is the time in ms for which the worker drains before
   * it stops.
   */
  readonly stop: Promise<number>;
  /**
   * When the primary asks this worker to print the start-up message, resolves to the address that the message must
   * show.
   */
  readonly greeting: Promise<string>;
  /** Reports that the store is open. */
  opened(): void;
  /** Reports that the worker answers calls. */
  serving(address: string): void;
  /**
   * Returns a function that collects the metrics of all processes on this machine; `own` returns those of this process.
   */
  metrics(own: () => Promise<string>): () => Promise<string>;
  /** Closes the connection, so that the process can end. */
  close(): void;
}

/** The channel to the primary. In a worker, it is `process`. */
export interface PrimaryChannel {
  send?(message: FromWorker): boolean;
  on(event: "message", listener: (message: ToWorker) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
  readonly connected: boolean;
  disconnect(): void;
}

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

export function workerLink(channel: PrimaryChannel): WorkerLink {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let heard: (announcement: Announcement) => void = () => undefined;
  let ownMetrics: () => Promise<string> = async () => "";
  const stop = deferred<number>();
  const greeting = deferred<string>();

  function send(message: FromWorker): void {
    if (channel.connected) channel.send?.(message);
  }

  /**
   * Sends a question and resolves to its answer. `waiting` needs no limit, because each open question belongs to a call
   * in progress.
   */
  function ask<T>(question: (id: number) => FromWorker): Promise<T> {
    if (!channel.connected) return Promise.reject(new LimiterLost("the primary process has ended"));
    lastId += 1;
    const id = lastId;
    return new Promise<T>((resolve, reject) => {
      // The cast is safe, because the kind of a question determines the type of its answer.
      waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      send(question(id));
    });
  }

  function answered(id: number, value: unknown): void {
    waiting.get(id)?.resolve(value);
    waiting.delete(id);
  }

  const limiter = grantedLimiter({
    counters: {
      take: (charges, now) => ask<Taken>((id) => ({ kind: "take", id, charges, now })),
      look: (charges, now) => ask<readonly Figures[]>((id) => ({ kind: "look", id, charges, now })),
      giveBack: (takenId, indexes) => send({ kind: "give-back", takenId, indexes }),
      end: (grantId, use) => send({ kind: "grant-ended", grantId, use }),
    },
  });

  channel.on("message", (message) => {
    if (message.kind === "taken") answered(message.id, message.taken);
    else if (message.kind === "looked") answered(message.id, message.standings);
    else if (message.kind === "metrics") answered(message.id, message.text);
    else if (message.kind === "recall") limiter.recall(message.grantId);
    else if (message.kind === "announce") heard(message.announcement);
    else if (message.kind === "stop") stop.resolve(message.drainMs ?? 0);
    else if (message.kind === "greet") greeting.resolve(message.address);
    else if (message.kind === "own-metrics") {
      const { id } = message;
      ownMetrics().then(
        (text) => send({ kind: "own-metrics", id, text }),
        () => send({ kind: "own-metrics", id, text: "" }),
      );
    }
  });
  channel.on("disconnect", () => {
    for (const { reject } of waiting.values()) reject(new LimiterLost("the primary process has ended"));
    waiting.clear();
  });

  return {
    limiter,
    announcements: {
      announce: (announcement) => send({ kind: "announce", announcement }),
      listen: (listener) => {
        heard = listener;
      },
      close: async () => {
        heard = () => undefined;
      },
    },
    stop: stop.promise,
    greeting: greeting.promise,
    opened: () => send({ kind: "opened" }),
    serving: (address) => send({ kind: "serving", address }),
    metrics(own) {
      ownMetrics = own;
      return () => ask<string>((id) => ({ kind: "metrics", id }));
    },
    close: () => {
      if (channel.connected) channel.disconnect();
    },
  };
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
