import { useCallback, useState } from "preact/hooks";

/** A write sent by a control, and its outcome. */
export interface Write<Args extends readonly unknown[]> {
  /** True from the sending of the write until its answer arrives; the control is disabled meanwhile. */
  readonly isSent: boolean;
  readonly failure: unknown;
  /** Sends the write, and returns true if it succeeded. */
  readonly send: (...args: Args) => Promise<boolean>;
}

/**
 * Tracks a write through its states. If the write takes an idempotency key, the client sends one, so that its retries
 * have no second effect.
 */
export function useWrite<Args extends readonly unknown[]>(run: (...args: Args) => Promise<unknown>): Write<Args> {
  const [isSent, setSent] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const send = useCallback(
    async (...args: Args): Promise<boolean> => {
      setSent(true);
      setFailure(undefined);
      try {
        await run(...args);
        return true;
      } catch (error) {
        setFailure(error);
        return false;
      } finally {
        setSent(false);
      }
    },
    [run],
  );
  return { isSent, failure, send };
}
