import { describe, expect, test } from "vitest";
import type { WatchFiring } from "../records.js";
import { confirmationMail, firingMail } from "./mail-content.js";

const ORIGIN = "https://vigil.example.com";
const fired: WatchFiring = {
  position: 7,
  firingId: "wfr_1",
  watchId: "wch_1",
  watchName: "Large earthquakes",
  kind: "WATCH_FIRING_KIND_FIRED",
  on: "WATCH_ON_CHANGED",
  firedAt: "2026-11-23T00:00:00.000Z",
  call: "/api/seismology/v1/list-earthquakes",
  state: "partial",
  generations: { earthquakes: 12 },
  previousGenerations: { earthquakes: 11 },
  rows: [
    { change: "added", id: "a", after: { magnitude: 6 } },
    { change: "changed", id: "b", before: { magnitude: 5 }, after: { magnitude: 6 } },
    { change: "removed", id: "c", before: { magnitude: 4 } },
    { change: "added", id: "d", isTruncated: true },
  ],
  addedCount: 22,
  changedCount: 1,
  removedCount: 1,
  links: { answer: "/api/a?as_of=x", changes: "/api/a?since_generation=11", history: ["/api/h"] },
  sources: [{ name: "USGS", url: "https://earthquake.usgs.gov/", licence: "US government work" }],
};
const mailOf = (more: Partial<WatchFiring> = {}, isSimulated = false) =>
  firingMail({ firing: { ...fired, ...more }, origin: ORIGIN, stopLink: `${ORIGIN}/stop`, isSimulated });

describe("the email about a firing", () => {
  test("states what fired, the rows before and after, and where to find the data", () => {
    const { text, subject } = mailOf();
    expect(subject).toBe("Large earthquakes: 22 added, 1 changed, 1 removed");
    expect(text).toBe(`Large earthquakes

Fired at 2026-11-23T00:00:00.000Z: 22 added, 1 changed, 1 removed.

added: a
  {"magnitude":6}

changed: b
  before: {"magnitude":5}
  after: {"magnitude":6}

removed: c
  {"magnitude":4}

added: d
  A value is too large for this email.

20 more; the links lead to all of them.

Data
  call: /api/seismology/v1/list-earthquakes
  state: partial
  earthquakes: generation 12, previously 11

Links
  Answer: https://vigil.example.com/api/a?as_of=x
  Changes: https://vigil.example.com/api/a?since_generation=11
  History: https://vigil.example.com/api/h

Sources
  USGS (US government work): https://earthquake.usgs.gov/

Stop emails about this watch
  Stop: https://vigil.example.com/stop
`);
  });

  test.each([
    ["WATCH_ON_BECOMES_TRUE", "WATCH_FIRING_KIND_FIRED", "the condition is true"],
    ["WATCH_ON_BECOMES_TRUE", "WATCH_FIRING_KIND_RESOLVED", "the condition is no longer true"],
    ["WATCH_ON_THRESHOLD_CROSSED", "WATCH_FIRING_KIND_FIRED", "the threshold was crossed"],
    ["WATCH_ON_THRESHOLD_CROSSED", "WATCH_FIRING_KIND_RESOLVED", "back within the threshold"],
    ["WATCH_ON_STATE_CHANGES", "WATCH_FIRING_KIND_FIRED", "the data is partial"],
    ["WATCH_ON_STATE_CHANGES", "WATCH_FIRING_KIND_RESOLVED", "the data is complete again"],
    ["WATCH_ON_NEW_ROWS", "WATCH_FIRING_KIND_FAILED", "the watch cannot be evaluated"],
    ["WATCH_ON_NEW_ROWS", "WATCH_FIRING_KIND_NOTICE", "changes could not be compared"],
  ] as const)("with trigger %s and kind %s has the subject “%s”", (on, kind, summary) => {
    expect(mailOf({ on, kind }).subject).toBe(`Large earthquakes: ${summary}`);
  });

  test("shows the value before and after, shortened", () => {
    const { text } = mailOf({ rows: [], before: 3, after: "x".repeat(5_000) });
    expect(text).toContain(`Value\n  before: 3\n  after: ${"x".repeat(1_000)}…\n`);
  });

  test("states in its body that the data of a demo is simulated", () => {
    const { text, html } = mailOf({}, true);
    expect([text, html].every((body) => body.includes("This is a demo: all data is simulated."))).toBe(true);
  });

  test("contains only web links, and escapes all text", () => {
    const { html } = mailOf({
      watchName: '"><script>alert(1)</script>',
      message: "<b>",
      sources: [{ name: "<i>", url: "javascript:alert(1)", licence: "&" }],
    });
    expect(html).not.toMatch(/<(?:script|b|i)>|href="(?!https:\/\/vigil\.example\.com\/)/);
    expect(html).toContain("&lt;i&gt; (&amp;): javascript:alert(1)");
  });

  test.each(["\r\n.\r\n", "\u0000", "\u2028", "\u202e", "\u0085"])("shows %j in a name as a space", (text) => {
    const { subject, text: body } = mailOf({ watchName: `a${text}b` });
    expect(subject).toMatch(/^a [. ]*b: /);
    expect(body.split("\n")[0]).toMatch(/^a [. ]*b$/);
  });
});

test("the confirmation email has one link and no text written by an account", () => {
  const { text, html } = confirmationMail({ origin: ORIGIN, link: `${ORIGIN}/c?token=t`, isSimulated: false });
  expect(text.match(/https:\S+/g)).toEqual([ORIGIN, `${ORIGIN}/c?token=t`]);
  expect(html).toContain(`<a href="${ORIGIN}/c?token=t">Confirm</a>`);
});
