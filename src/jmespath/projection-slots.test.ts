import { expect, test } from "vitest";
import { ProjectionSlots, ProjectionSlotsFull } from "./projection-slots.js";

/** Work that ends on command, and a log of started work. */
function controlledWork() {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolver>();
  return {
    started,
    work: (name: string) => (): Promise<string> => {
      started.push(name);
      return new Promise((resolve) => ends.set(name, { resolve }));
    },
    end: (name: string): void => ends.get(name)?.resolve(name),
  };
}

interface PromiseWithResolver {
  readonly resolve: (name: string) => void;
}

test("synchronous work returns its result directly and frees its slot", () => {
  const slots = new ProjectionSlots({ runningMax: 1, waitingMax: 0 });
  expect([slots.run("a", () => 1), slots.run("a", () => 2)]).toEqual([1, 2]);
});

test("an account runs no more projections than its maximum; the others follow in order of arrival", async () => {
  const slots = new ProjectionSlots({ runningMax: 2, waitingMax: 5 });
  const { started, work, end } = controlledWork();
  const results = ["1", "2", "3", "4"].map((name) => slots.run("a", work(name)));
  expect(started).toEqual(["1", "2"]);
  end("2");
  await results[1];
  expect(started).toEqual(["1", "2", "3"]);
  end("1");
  await results[0];
  for (const name of ["3", "4"]) end(name);
  expect(await Promise.all(results)).toEqual(["1", "2", "3", "4"]);
});

test("one account does not take the slots of another", () => {
  const slots = new ProjectionSlots({ runningMax: 1, waitingMax: 0 });
  const { started, work } = controlledWork();
  void slots.run("a", work("a"));
  void slots.run("b", work("b"));
  expect(started).toEqual(["a", "b"]);
});

test("a projection is refused if too many projections of its account are already waiting", () => {
  const slots = new ProjectionSlots({ runningMax: 1, waitingMax: 1 });
  const { work } = controlledWork();
  void slots.run("a", work("1"));
  void slots.run("a", work("2"));
  expect(() => slots.run("a", work("3"))).toThrow(ProjectionSlotsFull);
});

test("a free slot goes to the longest-waiting projection, not to one that arrives at that moment", async () => {
  const slots = new ProjectionSlots({ runningMax: 1, waitingMax: 5 });
  const { started, work, end } = controlledWork();
  const first = slots.run("a", work("first"));
  const second = slots.run("a", work("second"));
  const late = Promise.resolve(first).then(() => slots.run("a", work("late")));
  end("first");
  await first;
  await Promise.resolve();
  expect(started).toEqual(["first", "second"]);
  end("second");
  await second;
  end("late");
  await late;
  expect(started).toEqual(["first", "second", "late"]);
});

test("failing work, synchronous or not, frees its slot", async () => {
  const slots = new ProjectionSlots({ runningMax: 1, waitingMax: 0 });
  const fail = (): never => {
    throw new Error("failed");
  };
  expect(() => slots.run("a", fail)).toThrow("failed");
  await expect(slots.run("a", async () => fail())).rejects.toThrow("failed");
  expect(slots.run("a", () => "free")).toBe("free");
});
