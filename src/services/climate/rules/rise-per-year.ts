interface Rate {
  readonly mm: number;
  readonly isMetric: boolean;
  readonly isCurrent: boolean;
  readonly isSince1993: boolean;
}

const RATE =
  /(?<![\d.,])(\d{1,6}(?:\.\d{1,6})?) ?(mm|millimet(?:er|re)s?|cm|centimet(?:er|re)s?|in(?:ch(?:es)?)?) ?\)? ?(?:\/|per|a|each) ?y(?:ea)?r?\b/gi;
/**
 * Numbers of characters before and after a rate that are searched for words about it, such as "current" or "since
 * 1993".
 */
const [BEFORE, BEHIND] = [160, 40];

/**
 * Finds the current rate of sea level rise in a text, in mm per year to a tenth; undefined if there is none. Returns
 * the first rate described as current, else the last rate whose description does not mention 1993, else the last rate
 * of all. Each of these steps prefers metric rates to rates in inches.
 */
export function risePerYear(text: string): number | undefined {
  const rates = ratesIn(text);
  const current = rates.filter(({ isCurrent }) => isCurrent);
  const others = rates.filter(({ isSince1993 }) => !isSince1993);
  const rate = firstMetric(current) ?? lastMetric(others) ?? lastMetric(rates);
  return rate && Math.round(rate.mm * 10) / 10;
}

function firstMetric(rates: readonly Rate[]): Rate | undefined {
  return rates.find(({ isMetric }) => isMetric) ?? rates[0];
}

function lastMetric(rates: readonly Rate[]): Rate | undefined {
  return rates.findLast(({ isMetric }) => isMetric) ?? rates.at(-1);
}

function ratesIn(text: string): readonly Rate[] {
  const rates: Rate[] = [];
  let end = 0;
  for (const match of text.matchAll(RATE)) {
    const [words, value = "", unit = ""] = match;
    const between = text.slice(end, match.index);
    const before = sentencesOf(between.slice(-BEFORE)).at(-1) ?? "";
    end = match.index + words.length;
    const behind = sentencesOf(text.slice(end, end + BEHIND))[0] ?? "";
    const same = /^ ?(?:\(|or|,) ?$/.test(between) ? rates.at(-1) : undefined;
    rates.push({
      mm: Number(value) * millimetresOf(unit.toLowerCase()),
      isMetric: !unit.toLowerCase().startsWith("in"),
      isCurrent: same?.isCurrent ?? (/\bcurrent(?:ly)?\b/i.test(before) || /^[ ,(]{0,3}(?:the )?current/i.test(behind)),
      isSince1993: same?.isSince1993 ?? (before.includes("1993") || /^[ ,(]{0,3}(?:since|from|in) 1993/i.test(behind)),
    });
  }
  return rates;
}

/** Splits a text into sentences. A decimal point does not end a sentence. */
function sentencesOf(text: string): readonly string[] {
  return text.split(/[.!?](?= )/);
}

const MM_PER_INCH = 25.4;

function millimetresOf(unit: string): number {
  if (unit.startsWith("in")) return MM_PER_INCH;
  return unit.startsWith("c") ? 10 : 1;
}
