import { expect, test } from "vitest";
import { describeEachStore } from "../../../test/support/stores.js";
import { LoopTurns } from "../../kit/loop-turns.js";
import { revisionReader } from "./revision-reader.js";

/** The entry of a generation: `begin` if the record starts with it, otherwise the former values of one part by key. */
type Recorded = "begin" | Readonly<Record<string, number>>;

await describeEachStore((open) => {
  async function opened(rowsMax?: number) {
    const { database } = await open();
    let reads = 0;
    const db = database.db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === "SelectQueryNode") reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const record = async (generation: number, recorded: Recorded) => {
      const rows = recorded === "begin" ? "" : JSON.stringify({ list: { added: [], former: recorded } });
      await database.db
        .insertInto("row_revision")
        .values({ dataset: "a", generation, at: generation * 10, rows })
        .execute();
    };
    const reader = revisionReader(db, new LoopTurns(), rowsMax);
    const upTo = async (generation: number) => {
      const { begin, revisions } = await reader.upTo("a", { generation, builtAt: generation * 10 });
      return [begin, revisions.map(({ generation: number, parts }) => [number, parts["list"]?.former])];
    };
    return { db: database.db, record, upTo, reader, reads: () => reads };
  }

  test("if nothing is recorded for a dataset, its record starts at the generation that is read", async () => {
    const { upTo } = await opened();
    expect(await upTo(4)).toEqual([{ generation: 4, at: 40 }, []]);
  });

  test("a read at a generation returns the former rows from the last start of the record up to that generation", async () => {
    const { record, upTo } = await opened();
    await record(1, "begin");
    await record(2, { x: 1 });
    await record(4, "begin");
    await record(5, { x: 2 });
    await record(7, { y: 3 });
    expect(await upTo(7)).toEqual([
      { generation: 4, at: 40 },
      [
        [5, { x: 2 }],
        [7, { y: 3 }],
      ],
    ]);
    expect(await upTo(6)).toEqual([{ generation: 4, at: 40 }, [[5, { x: 2 }]]]);
    expect(await upTo(3)).toEqual([{ generation: 1, at: 10 }, [[2, { x: 1 }]]]);
  });

  test("each generation is read once, even by concurrent callers", async () => {
    const { record, upTo, reads } = await opened();
    await record(1, "begin");
    await record(2, { x: 1 });
    await Promise.all([upTo(2), upTo(2), upTo(1)]);
    const first = reads();
    await upTo(2);
    expect(reads()).toBe(first);
    await record(3, { x: 2 });
    expect(await upTo(3)).toEqual([
      { generation: 1, at: 10 },
      [
        [2, { x: 1 }],
        [3, { x: 2 }],
      ],
    ]);
    expect(reads()).toBe(first + 1);
  });

  test("a long record is read in pieces and returned whole", async () => {
    const { record, upTo, reads } = await opened();
    await record(1, "begin");
    for (let generation = 2; generation <= 120; generation += 1) await record(generation, { x: generation });
    const revisions = Array.from({ length: 119 }, (_, at) => [at + 2, { x: at + 2 }]);
    expect(await upTo(120)).toEqual([{ generation: 1, at: 10 }, revisions]);
    expect(reads()).toBe(3);
  });

  test("if a record exceeds the memory limit, only its latest generations are read, so the record starts later", async () => {
    const { record, upTo } = await opened(6);
    await record(1, "begin");
    for (let generation = 2; generation <= 9; generation += 1) await record(generation, { x: 1 });
    expect(await upTo(9)).toEqual([{ generation: 6, at: 60 }, [7, 8, 9].map((generation) => [generation, { x: 1 }])]);
    await record(10, { x: 1 });
    expect(await upTo(10)).toEqual([{ generation: 7, at: 70 }, [8, 9, 10].map((generation) => [generation, { x: 1 }])]);
  });

  test("generations that restart the record also count towards the memory limit", async () => {
    const { record, upTo, reads } = await opened(6);
    for (let generation = 1; generation <= 120; generation += 1) await record(generation, "begin");
    expect(await upTo(120)).toEqual([{ generation: 120, at: 1_200 }, []]);
    expect(reads()).toBe(1);
  });

  test("a damaged row starts the record over", async () => {
    const { record, upTo, db } = await opened();
    await record(1, "begin");
    await record(2, { x: 1 });
    await record(3, { x: 2 });
    await db.updateTable("row_revision").set({ rows: "{" }).where("generation", "=", 2).execute();
    expect(await upTo(3)).toEqual([{ generation: 2, at: 20 }, [[3, { x: 2 }]]]);
  });

  test("a failed read is repeated by the next caller", async () => {
    const { record, upTo, db } = await opened();
    await record(1, "begin");
    await db.schema.alterTable("row_revision").renameTo("away").execute();
    await expect(upTo(1)).rejects.toThrow();
    await db.schema.alterTable("away").renameTo("row_revision").execute();
    expect(await upTo(1)).toEqual([{ generation: 1, at: 10 }, []]);
  });
});
