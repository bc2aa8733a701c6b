import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyStore } from "../src/database/bodies.js";
import { DAY_MS } from "../src/kit/clock.js";
import { applyRetention } from "../src/snapshots/history/retention.js";
import { type IndexMonth, publishChanged, withIndex } from "./support/published.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";
import { availableStores } from "./support/stores.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const YIELDS = "/api/economic/v1/get-us-treasury-par-yield-curve";

type Curve = Readonly<Record<string, number>>;

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name}, skipped: ${skipReason}`;
  describe.skipIf(skipReason !== undefined)(`vintages on ${title}`, () => {
    let stack: Stack;
    let dispose: () => Promise<void>;
    let september: number;
    let october: number;
    let index: number;
    let curve: Curve;

    beforeAll(async () => {
      const store = await open();
      dispose = () => store.dispose();
      const env = store.url === undefined ? {} : { DATABASE_URL: store.url };
      stack = await startStack({ datasets: ["us-cpi", "us-treasury-yields"], env });
      await stack.run("us-cpi");
      await stack.run("us-treasury-yields");
      const { months } = (await answer(`${CPI}?history=true`)) as { months: readonly { month: number }[] };
      [september = 0, october = 0] = months.slice(-2).map(({ month }) => month);
      const { headline } = months.at(-2) as unknown as { headline: { index: number } };
      index = headline.index;
      const { curves } = (await answer(YIELDS)) as { curves: readonly Curve[] };
      curve = curves[0] as Curve;
      // 20 November: September is revised. 21 November: the same content. 22 November: September is revised again.
      const revised = (by: number) => ({ month: september, index: index + by });
      await publish<IndexMonth>("us-cpi", 2, (records) => withIndex(records, "headline", revised(1)));
      await publish("us-cpi", 3, (records) => records);
      await publish<IndexMonth>("us-cpi", 4, (records) => withIndex(records, "headline", revised(2)));
      await publish<Curve>("us-treasury-yields", 4, ({ curves: all = [] }) => ({
        curves: [
          ...all.map((row) => (row["date"] === curve["date"] ? { ...row, tenYear: 9.25 } : row)),
          { date: NOON + DAY_MS, tenYear: 9.5 },
        ],
      }));
    }, 60_000);
    afterAll(async () => {
      await stack?.close();
      await dispose?.();
    });

    async function answer(target: string): Promise<unknown> {
      const received = await stack.get(target);
      expect(received.status).toBe(200);
      return json(received);
    }

    /** Moves the clock to `day` days after `NOON`, and publishes a changed build. */
    async function publish<Row>(
      dataset: string,
      day: number,
      change: Parameters<typeof publishChanged<Row>>[2],
    ): Promise<void> {
      const at = NOON + day * DAY_MS;
      if (stack.clock.now() < at) stack.clock.advance(at - stack.clock.now());
      await publishChanged(stack, dataset, change);
    }

    const iso = (at: number): string => new Date(at).toISOString();
    const of = async (target: string, time: number): Promise<unknown> => {
      const { vintages } = (await answer(target)) as {
        vintages: { months?: readonly { month: number }[]; days?: readonly { date: number }[] };
      };
      const observation =
        vintages.months?.find(({ month }) => month === time) ?? vintages.days?.find(({ date }) => date === time);
      return (observation as { vintages?: unknown } | undefined)?.vintages;
    };

    test("each value of a revised month has its generation and the time at which it became known", async () => {
      expect(await of(`${CPI}?vintages=true&history=true`, september)).toEqual([
        expect.objectContaining({ since: NOON, generation: 1, headline: index }),
        { since: NOON + 2 * DAY_MS, generation: 2, headline: index + 1 },
        { since: NOON + 4 * DAY_MS, generation: 3, headline: index + 2 },
      ]);
    });

    test("an unchanged month lists its values once, as known since the start of the record", async () => {
      const { months, vintages } = (await answer(`${CPI}?vintages=true`)) as {
        months: readonly Readonly<Record<string, { index: number } | number>>[];
        vintages: object;
      };
      const { month, ...components } = months[0] ?? {};
      const indices = Object.entries(components).map(([component, value]) => [
        component,
        (value as { index: number }).index,
      ]);
      expect(month).toBe(october);
      expect(vintages).toEqual({
        knownSince: NOON,
        sinceGeneration: 1,
        months: [{ month: october, vintages: [{ since: NOON, generation: 1, ...Object.fromEntries(indices) }] }],
      });
    });

    test("a revised day lists its first yields and each change; a new day lists its yields", async () => {
      const { date, ...tenors } = curve;
      expect(await of(`${YIELDS}?vintages=true&history=true`, date ?? 0)).toEqual([
        { since: NOON, generation: 1, ...tenors },
        { since: NOON + 4 * DAY_MS, generation: 2, tenYear: 9.25 },
      ]);
      expect(await of(`${YIELDS}?vintages=true`, NOON + DAY_MS)).toEqual([
        { since: NOON + 4 * DAY_MS, generation: 2, tenYear: 9.5 },
      ]);
    });

    test("with as_of, only the vintages known at the given instant are listed", async () => {
      const target = `${CPI}?vintages=true&history=true&as_of=${iso(NOON + 3 * DAY_MS)}`;
      expect(await of(target, september)).toMatchObject([
        { generation: 1, headline: index },
        { generation: 2, headline: index + 1 },
      ]);
      expect(await of(`${CPI}?vintages=true&history=true&as_of=${iso(NOON + DAY_MS)}`, september)).toMatchObject([
        { generation: 1, headline: index },
      ]);
    });

    test("without `vintages` in the query, the answer has no vintages and its ETag is different", async () => {
      expect(await answer(CPI)).not.toHaveProperty("vintages");
      const [first, second] = [await stack.get(`${CPI}?vintages=true`), await stack.get(`${CPI}?vintages=1`)];
      expect(first.headers["ETag"]).toBe(second.headers["ETag"]);
      expect(first.headers["ETag"]).not.toBe((await stack.get(CPI)).headers["ETag"]);
    });

    test("after a restart, and after retention has removed generations, the vintages are the same", async () => {
      const target = `${CPI}?vintages=true&history=true`;
      const before = await answer(target);
      await stack.restart();
      expect(await answer(target)).toEqual(before);
      const { database } = stack.service;
      const bodies = bodyStore(database, stack.dataDir, stack.clock);
      const policy = { wholeMs: 0, dailyMs: 0, bodyBytesMax: 0 };
      expect(await applyRetention(database, bodies, ["us-cpi"], policy, stack.clock.now())).toBe(2);
      await stack.restart();
      expect(await answer(target)).toEqual(before);
    });

    test("the last vintage of a month names a part as withdrawn if the part no longer has the month", async () => {
      await publish<IndexMonth>("us-cpi", 6, ({ headline = [], core = [], ...others }) => ({
        ...others,
        headline: headline.filter(({ month }) => month !== october),
        core: core.filter(({ month }) => month !== september),
      }));
      const target = `${CPI}?vintages=true&history=true`;
      const last = { since: NOON + 6 * DAY_MS, generation: 4 };
      expect(((await of(target, october)) as unknown[]).at(-1)).toEqual({ ...last, withdrawn: ["headline"] });
      expect(((await of(target, september)) as unknown[]).at(-1)).toEqual({ ...last, withdrawn: ["core"] });
    });
  });
}
