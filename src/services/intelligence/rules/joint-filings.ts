import type { Filer, StoredFiling } from "../filing-records.js";

/**
 * One filing for each accession number, newest first. Entries of a joint report become one filing with all companies:
 * the first is the filing's own company, the others are `coFilers`.
 */
export function byAccession(filings: readonly StoredFiling[]): readonly StoredFiling[] {
  const merged = new Map<string, StoredFiling>();
  for (const filing of filings) {
    const earlier = merged.get(filing.accessionNumber);
    merged.set(filing.accessionNumber, earlier === undefined ? filing : joined(earlier, filing));
  }
  return [...merged.values()].sort(
    (a, b) => b.filedAt - a.filedAt || a.accessionNumber.localeCompare(b.accessionNumber),
  );
}

/** All companies of a filing. */
export function filersOf({ cik, companyName, coFilers = [] }: StoredFiling): readonly Filer[] {
  return [{ cik, companyName }, ...coFilers];
}

/** Combines two entries: the later entry's facts, the companies of both, and the url of the first company. */
function joined(earlier: StoredFiling, later: StoredFiling): StoredFiling {
  const byCik = new Map(filersOf(earlier).map((filer) => [filer.cik, filer]));
  for (const filer of filersOf(later)) byCik.set(filer.cik, filer);
  const [first = later, ...coFilers] = byCik.values();
  return {
    ...later,
    cik: first.cik,
    companyName: first.companyName,
    url: earlier.url,
    ...(coFilers.length > 0 && { coFilers }),
  };
}
