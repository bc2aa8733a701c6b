import type { Filer, StoredFiling } from "../filing-records.js";

/**
 * Merges filings with the same accession number and returns them newest first. A merged filing has the first company of
 * the joint report in `cik` and `companyName`, and the other companies in `coFilers`.
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

/** Returns all companies of a filing. */
export function filersOf({ cik, companyName, coFilers = [] }: StoredFiling): readonly Filer[] {
  return [{ cik, companyName }, ...coFilers];
}

/**
 * Combines two filings with the same accession number; `earlier` precedes `later` in the list. The result has the
 * companies of both filings, the URL of `earlier`, and the other fields of `later`.
 */
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
