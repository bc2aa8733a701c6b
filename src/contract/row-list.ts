import type { GeoCoordinates } from "./coordinates.js";
import type { FeedEntry } from "./feed.js";

/**
 * The name of the member with the coordinates of a row, or the names of the members with its latitude and its
 * longitude.
 */
export type RowLocation = string | readonly [latitude: string, longitude: string];

/** The locations that a row can have. */
type LocationOf<Row> =
  | MemberWith<Row, GeoCoordinates>
  | readonly [latitude: MemberWith<Row, number>, longitude: MemberWith<Row, number>];

/** The names of the members of a row that have the type `Value`, required or optional. */
type MemberWith<Row, Value> = { [K in keyof Row & string]-?: Row[K] extends Value | undefined ? K : never }[keyof Row &
  string];

/** A list whose rows are entries of a feed. */
export interface RowFeed<Row> {
  readonly title: string;
  readonly description: string;
  /** Returns the entry of a row. Rows whose entries have the same id become one entry. */
  entry(row: Row): FeedEntry;
}

/** A list in one member of an answer. */
interface MemberList<Member extends string, Row, Location> {
  /** The member with the rows. */
  readonly rows: Member;
  /** Returns the string that identifies a row in every generation. It should be unique in the list. */
  identity(row: Row): string;
  /**
   * The members with the position of a row on the globe, if rows have a position. Makes the list available as GeoJSON.
   */
  readonly location?: Location;
  /** Makes the list available as Atom and JSON Feed. */
  readonly feed?: RowFeed<Row>;
}

/**
 * A list in groups. `groups` names the member of the answer that contains an object for each group. `rows` names the
 * member of these objects that contains the rows of the group.
 */
interface GroupedList<Member extends string, Rows extends string, Row, Location> {
  readonly groups: Member;
  readonly rows: Rows;
  /** Returns the string that identifies a row in its group, as in a `MemberList`. */
  identity(row: Row): string;
  /** As in a `MemberList`. */
  readonly location?: Location;
  /** As in a `MemberList`. */
  readonly feed?: RowFeed<Row>;
}

/** The declaration of the list in an answer of the type `Answer`. */
export type RowListOf<Answer> = unknown extends Answer
  ? AnyRowList
  : {
      [K in keyof Answer & string]: Answer[K] extends readonly (infer Row)[]
        ? MemberList<K, Row, LocationOf<Row>>
        : Answer[K] extends Readonly<Record<string, infer Group>>
          ? GroupedListOf<K, Group>
          : never;
    }[keyof Answer & string];

type GroupedListOf<Member extends string, Group> = {
  [G in keyof Group & string]: Group[G] extends readonly (infer Row)[]
    ? GroupedList<Member, G, Row, LocationOf<Row>>
    : never;
}[keyof Group & string];

/** The declaration of a list of unspecified types. */
export type AnyRowList = MemberList<string, never, RowLocation> | GroupedList<string, string, never, RowLocation>;

/** A row of a grouped list with the name of its group, so that the rows of all groups can be one list. */
interface RowOfGroup {
  readonly group: string;
  readonly row: unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the rows of an answer in its order. The rows of a grouped list become one list, group by group. */
export function rowsIn(list: AnyRowList, answer: unknown): readonly unknown[] {
  if (!("groups" in list)) return memberOf(answer, list.rows) as readonly unknown[];
  const groups = memberOf(answer, list.groups) as Members;
  return Object.entries(groups).flatMap(([group, members]) =>
    (memberOf(members, list.rows) as readonly unknown[]).map((row): RowOfGroup => ({ group, row })),
  );
}

/** Returns the answer with only the given rows. A grouped list keeps all its groups, even empty ones. */
export function withRows(list: AnyRowList, answer: unknown, rows: readonly unknown[]): Members {
  const members = answer as Members;
  if (!("groups" in list)) return { ...members, [list.rows]: rows };
  const rowsOf = new Map<string, unknown[]>();
  // The cast is safe, because `rowsIn` returned these rows.
  for (const { group, row } of rows as readonly RowOfGroup[]) {
    const own = rowsOf.get(group) ?? [];
    if (own.length === 0) rowsOf.set(group, own);
    own.push(row);
  }
  const groups = Object.entries(memberOf(answer, list.groups) as Members).map(([group, own]) => [
    group,
    { ...(own as Members), [list.rows]: rowsOf.get(group) ?? [] },
  ]);
  return { ...members, [list.groups]: Object.fromEntries(groups) };
}

/**
 * Returns the identity of a row that `rowsIn` has returned. In a grouped list, the identity begins with the name of the
 * group, as in `politics https://…`.
 */
export function identityIn(list: AnyRowList, row: unknown): string {
  // The casts are safe, because the rows of an answer have the type that its operation declares.
  if (!("groups" in list)) return list.identity(row as never);
  const { group, row: own } = row as RowOfGroup;
  return `${group} ${list.identity(own as never)}`;
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Members)[name];
}
