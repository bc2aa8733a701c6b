import { expect, test } from "vitest";
import { sessionCookieHeaders } from "./session-cookie.js";

test("the session cookie is not readable by scripts, and lasts as long as the session", () => {
  expect(sessionCookieHeaders({ token: "vgs_a", expiresAt: 61_999 }, 1_000, false)).toEqual({
    "Set-Cookie": "vigil_session=vgs_a; Path=/; HttpOnly; SameSite=Lax; Max-Age=60",
  });
});

test("the cookie is restricted to https if the service is called over https", () => {
  expect(sessionCookieHeaders({ token: "vgs_a", expiresAt: 2_000 }, 1_000, true)["Set-Cookie"]).toMatch(/; Secure$/);
});

test("ending a session removes the cookie", () => {
  expect(sessionCookieHeaders("ended", 1_000, false)).toEqual({
    "Set-Cookie": "vigil_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
  });
});
