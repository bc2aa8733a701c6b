import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsInForce } from "../app/config.js";
import { secretText } from "../contract/setting.js";
import { settingsText } from "./config.js";

const ofServices = [secretText("VIGIL_PLAN_EVENTS_SECRET", "A secret")];
const SECRETS = ["key-of-an-upstream", "signs-plan-events", "operator-key-of-24-characters", "pass-word"];
const env = {
  VIGIL_PORT: "9000",
  VIGIL_HOST: "",
  VIGIL_ENTERPRISE_KEYS: "operator-key-of-24-characters",
  DATABASE_URL: "postgres://vigil:pass-word@db.example/vigil",
  VIGIL_SMTP_URL: "smtps://user:pass-word@mail.example",
  VIGIL_PLAN_EVENTS_SECRET: "signs-plan-events",
  FRED_API_KEY: "key-of-an-upstream",
};

test("each setting has its value and origin, and the environment overrides the configuration file", () => {
  const file = join(mkdtempSync(join(tmpdir(), "vigil-config-")), "vigil.config.json");
  writeFileSync(file, JSON.stringify({ VIGIL_PORT: 8000, VIGIL_LICENCE_MODE: "open" }));
  const listed = settingsInForce({ ...env, VIGIL_CONFIG: file }, ["FRED_API_KEY", "WAQI_API_KEY"], ofServices);
  const byName = new Map(listed.map(({ name, text, origin }) => [name, [text, origin]]));
  expect(byName.get("VIGIL_PORT")).toEqual(["9000", "environment"]);
  expect(byName.get("VIGIL_HOST")).toEqual(["127.0.0.1", "default"]);
  expect(byName.get("VIGIL_LICENCE_MODE")).toEqual(["open", { file }]);
  expect(byName.get("FRED_API_KEY")).toEqual(["key-of-an-upstream", "environment"]);
  expect(byName.get("WAQI_API_KEY")).toEqual(["", "default"]);
});

test.each([false, true])("vigil config shows no secret (as JSON: %s)", (json) => {
  const shown = settingsText(settingsInForce(env, ["FRED_API_KEY"], ofServices), json);
  for (const secret of SECRETS) expect(shown).not.toContain(secret);
  expect(shown).toContain("postgres://vigil:***@db.example/vigil");
  expect(shown).toContain("9000");
});

test("the table shows the unit of a value, and the JSON has no value for an unset setting", () => {
  const listed = settingsInForce(env, ["FRED_API_KEY"], []);
  expect(settingsText(listed, false)).toMatch(/^VIGIL_RETENTION_WHOLE_DAYS +7 days +default$/m);
  const rows = JSON.parse(settingsText(listed, true)) as readonly object[];
  expect(rows).toContainEqual({ name: "VIGIL_PORT", value: "9000", origin: "environment" });
  expect(rows).toContainEqual({ name: "FRED_API_KEY", isHidden: true, origin: "environment" });
  expect(rows).toContainEqual({ name: "VIGIL_PUBLIC_URL", origin: "default" });
});
