type Version = readonly [number, number, number];

const COMPARATOR = /^(\^|~|>=|<=|>|<|=)?v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/;

/** True if a Node.js version is in a range such as packages declare in `engines`. Throws for an unknown form. */
export function isInRange(version: string, range: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return range.split("||").some((alternative) =>
    alternative
      .trim()
      .replace(/([<>=^~]) +/g, "$1")
      .split(/\s+/)
      .every((comparator) => holds([major, minor, patch], comparator || "*")),
  );
}

function holds(version: Version, comparator: string): boolean {
  const match = COMPARATOR.exec(comparator);
  if (!match) throw new Error(`${comparator} is not a version comparator`);
  const [, operator = "", ...parts] = match;
  const numbers = parts.filter((part) => part !== undefined && /^\d+$/.test(part)).map(Number);
  const [major = 0, minor = 0, patch = 0] = numbers;
  const least: Version = [major, minor, patch];
  // The version of a comparator, such as 20 or 20.1, covers the versions from `least` to just before `end`.
  const end = bumped(least, operator === "^" ? 1 : operator === "~" ? Math.min(2, numbers.length) : numbers.length);
  const [isFromLeast, isBeforeEnd] = [compared(version, least) >= 0, compared(version, end) < 0];
  if (operator === ">=" || numbers.length === 0) return isFromLeast;
  if (operator === "<") return !isFromLeast;
  if (operator === ">") return !isBeforeEnd;
  if (operator === "<=") return isBeforeEnd;
  return isFromLeast && isBeforeEnd;
}

/** The first version after all versions that share the leading `count` numbers. */
function bumped([major, minor, patch]: Version, count: number): Version {
  if (count <= 1) return [major + 1, 0, 0];
  return count === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

function compared(left: Version, right: Version): number {
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}
