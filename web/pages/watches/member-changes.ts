/** A member of a value before and after a change, as strings. */
export interface MemberChange {
  readonly member: string;
  /** Undefined if the member did not exist before the change. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChanged: boolean;
}

/** The members of two values side by side. If neither value is an object, the only entry has the member "". */
export function memberChanges(before: unknown, after: unknown): readonly MemberChange[] {
  if (!isObject(before) && !isObject(after)) return [changeOf("", before, after)];
  const [from, to] = [membersOf(before), membersOf(after)];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].map((member) =>
    changeOf(member, from[member], to[member]),
  );
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of a value: none for undefined, and one with an empty name for any other value that is not an object. */
function membersOf(value: unknown): Members {
  if (isObject(value)) return value;
  return value === undefined ? {} : { "": value };
}

function changeOf(member: string, before: unknown, after: unknown): MemberChange {
  const [from, to] = [textOf(before), textOf(after)];
  return { member, before: from, after: to, isChanged: from !== to };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value, null, typeof value === "object" ? 1 : undefined);
}
