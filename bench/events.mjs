// Compares a page from a long list of conflict events with a page from a list of 2,000, and measures the memory per
// event.
import { EVENTS_BEGIN, eventsOf } from "./generations.mjs";
import { openPair } from "./store-pair.mjs";

const FEW = 2_000;
const LIST = "/api/conflict/v1/list-beta-events";
const DAY_MS = 86_400_000;
const CALLS = 200;
const codes = ["SD", "UA", "MM", "ML", "SO", "SY", "ET", "NG"];

/**
 * Measures the p50 time of every query on both lists, and the bytes per event of the long list. The calls alternate
 * between the lists.
 */
export async function eventRows(key, manyCount) {
  const few = await openPair({ key, what: "events", count: FEW, port: 18_791 });
  const many = await openPair({ key, what: "events", count: manyCount, port: 18_792 });
  try {
    const heapBytes = async () => (await many.server.ask("heapBytes")) - many.emptyHeapBytes;
    const bytesPerEvent = Math.round((await heapBytes()) / manyCount);
    await checked(many, manyCount);
    const rows = [
      await compared("country and time, page of 100", few, many, (pair, call) => pair.get(filtered(call))),
      await compared("second page by cursor", few, many, secondPage),
      await compared("page from the middle by cursor", few, many, await farPages(few, many)),
    ];
    await walk(many, manyCount);
    const bytesPerReadEvent = Math.round((await heapBytes()) / manyCount);
    return [...rows, { name: "memory of an event", bytesPerEvent, bytesPerReadEvent }];
  } finally {
    await Promise.all([few.close(), many.close()]);
  }
}

/**
 * Returns a query with a different time range for every call, so that no cache has its answer. The countries take
 * turns.
 */
function filtered(call) {
  const start = EVENTS_BEGIN + ((call * 7) % 100) * DAY_MS + call;
  const end = EVENTS_BEGIN + (300 + ((call * 3) % 60)) * DAY_MS;
  return `${LIST}?country=${codes[call % codes.length]}&start=${start}&end=${end}&page_size=100`;
}

async function secondPage(pair, call) {
  const first = await pair.get(filtered(1_000 + call));
  return pair.get(`${filtered(1_000 + call)}&cursor=${cursorAfter(first)}`);
}

/**
 * Returns a function that reads a page from the middle of all events. The page size differs in each call, so that no
 * cache has the answer.
 */
async function farPages(...pairs) {
  const cursors = new Map();
  for (const pair of pairs) cursors.set(pair, await middleOf(pair));
  return (pair, call) => pair.get(`${LIST}?page_size=${call}&cursor=${cursors.get(pair)}`);
}

/** Returns a cursor at the start of the second half of all events. */
async function middleOf({ get }) {
  let [cursor, at, half] = ["", 0, 1];
  while (at < half) {
    const page = await get(`${LIST}?page_size=${Math.min(2_000, half - at)}${cursor && `&cursor=${cursor}`}`);
    half = JSON.parse(page.body).pagination.totalCount / 2;
    at += JSON.parse(page.body).events.length;
    cursor = cursorAfter(page);
  }
  return cursor;
}

const cursorAfter = (page) => JSON.parse(page.body).pagination.nextCursor;

async function compared(name, few, many, ask) {
  const [fewMs, manyMs] = [[], []];
  for (let call = -20; call < CALLS; call += 1) {
    // The first calls are a warm-up for both lists.
    for (const [pair, times] of [
      [few, fewMs],
      [many, manyMs],
    ]) {
      const { ms } = await ask(pair, call + 50);
      if (call >= 0) times.push(ms);
    }
  }
  const [fewP50Ms, manyP50Ms] = [median(fewMs), median(manyMs)];
  const round = (value) => Number(value.toFixed(3));
  return { name, fewP50Ms: round(fewP50Ms), p50Ms: round(manyP50Ms), timesFew: round(manyP50Ms / fewP50Ms) };
}

/** Reads every event once. */
async function walk({ get }, count) {
  let cursor = "";
  let read = 0;
  do {
    const page = JSON.parse((await get(`${LIST}?page_size=2000${cursor && `&cursor=${cursor}`}`)).body);
    read += page.events.length;
    cursor = page.pagination.nextCursor;
  } while (cursor !== "");
  if (read !== count) throw new Error(`all pages together have ${read} events instead of ${count}`);
}

/** Throws unless the answers equal the result of filtering all events one by one. */
async function checked({ get }, count) {
  const events = eventsOf(count, 1);
  for (let call = 0; call < 16; call += 1) {
    const query = new URLSearchParams(filtered(call).split("?")[1]);
    const [start, end] = [Number(query.get("start")), Number(query.get("end"))];
    const expected = events
      .filter((_, at) => codes[at % codes.length] === query.get("country"))
      .filter(({ dateStart, dateEnd }) => dateStart <= end && dateEnd >= start - (start % DAY_MS))
      .sort((a, b) => b.dateEnd - a.dateEnd || (a.id < b.id ? -1 : 1));
    const { events: page, pagination } = JSON.parse((await get(filtered(call))).body);
    const actual = [pagination.totalCount, ...page.map(({ id }) => id)].join();
    if (actual !== [expected.length, ...expected.slice(0, 100).map(({ id }) => id)].join())
      throw new Error(`a page differs from the expected rows: ${filtered(call)}`);
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
