import { expect, test } from "vitest";
import { holidaysOf } from "./federal-holidays.js";

function datesOf(year: number): readonly string[] {
  return [...holidaysOf(year)].sort((a, b) => a - b).map((day) => new Date(day).toISOString().slice(5, 10));
}

test("holidaysOf lists the holidays of 2024, a year without a holiday on a weekend", () => {
  expect(datesOf(2024)).toEqual([
    "01-01",
    "01-15",
    "02-19",
    "03-29",
    "05-27",
    "06-19",
    "07-04",
    "09-02",
    "10-14",
    "11-11",
    "11-28",
    "12-25",
  ]);
});

test("a Sunday holiday is observed on Monday, and a Saturday holiday on Friday", () => {
  expect(datesOf(2023)).toContain("01-02");
  expect(datesOf(2020)).toContain("07-03");
});

test("New Year on a Saturday is observed in the old year", () => {
  expect(datesOf(2021)).toContain("12-31");
  expect(datesOf(2022)).not.toContain("01-01");
});

test("Juneteenth is a holiday from 2021, and Martin Luther King Jr. Day from 1986", () => {
  expect(datesOf(2020)).not.toContain("06-19");
  expect(datesOf(2021)).toContain("06-18");
  expect(datesOf(1985)).not.toContain("01-21");
  expect(datesOf(1986)).toContain("01-20");
  expect(datesOf(1990)).toContain("01-15");
});

test.each([
  [1990, "04-13"],
  [2000, "04-21"],
  [2008, "03-21"],
  [2019, "04-19"],
  [2038, "04-23"],
])("Good Friday of %i is %s", (year, day) => {
  expect(datesOf(year)).toContain(day);
});
