type Members = Readonly<Record<string, unknown>>;

/**
 * True for JSON values with the same content. Members may be in any order, and an undefined member counts as absent.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameItems(a, b);
  return !Array.isArray(b) && sameMembers(a as Members, b as Members);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
}

/**
 * Compares two objects. Builds no list of member names unless the objects have undefined members or differ in their
 * number of members, because 200,000 rows are compared while callers wait.
 */
function sameMembers(a: Members, b: Members): boolean {
  let surplus = 0;
  for (const name in a) {
    const [own, other] = [a[name], b[name]];
    if (own !== other && (typeof own !== "object" || !sameJson(own, other))) return false;
    if (own === undefined) return sameDefined(a, b);
    surplus += 1;
  }
  for (const _name in b) surplus -= 1;
  return surplus === 0 || sameDefined(a, b);
}

/** Compares the members that are not undefined. */
function sameDefined(a: Members, b: Members): boolean {
  const names = Object.keys({ ...a, ...b });
  return names.every((name) => a[name] === b[name] || sameJson(a[name], b[name]));
}

/** True for parsed JSON values with the same text. Unlike in `sameJson`, members must be in the same order. */
export function sameJsonText(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  if (names.length !== others.length) return false;
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] as string;
    if (name !== others[index]) return false;
    const [own, other] = [(a as Members)[name], (b as Members)[name]];
    if (own !== other && !sameJsonText(own, other)) return false;
  }
  return true;
}
