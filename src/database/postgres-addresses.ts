/** The addresses of `DATABASE_URL`, one for each server in it. */
export interface PostgresAddresses {
  readonly count: number;
  /** The address for new connections. */
  current(): string;
  /** Switches to the next address if `address` is still the current one. */
  leave(address: string): void;
}

const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)(.*)$/s;

/** Splits a URL with comma-separated hosts, as `psql` accepts it, into one URL for each host. */
export function addressesIn(url: string): readonly string[] {
  const [, scheme = "", hosts = "", rest = ""] = SEVERAL_HOSTS.exec(url) ?? [];
  if (!hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${scheme}${host}${rest}`);
}

export function postgresAddresses(url: string): PostgresAddresses {
  const all = addressesIn(url);
  let at = 0;
  const current = (): string => all[at] ?? url;
  return {
    count: all.length,
    current,
    leave(address) {
      if (address === current()) at = (at + 1) % all.length;
    },
  };
}
