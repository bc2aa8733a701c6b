/** Lets the users of a shared resource, such as a connection, take turns. */
export interface Turn {
  take(): Promise<void>;
  give(): void;
}

/** Admits one user at a time, in order of arrival. */
export function turnstile(): Turn {
  let isTaken = false;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}
