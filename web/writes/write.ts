import { useCallback, useState } from "preact/hooks";

/** A write that a control sends, and what became of it. */
export interface Write<Args extends readonly unknown[]> {
  /** True until the answer has come: the control is disabled so long. */
  readonly isSent: boolean;
  readonly failure: unknown;
  /** Sends the write, and returns true if it succeeded. */
  readonly send: (...args: Args) => Promise<boolean>;
}

/** Follows a write through its states. The client names each write, so that a repetition has no second effect. */
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
