import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { loadConfig } from "../../app/config.js";
import { runningService } from "./running-service.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vigil-running-"));
  writeFileSync(join(folder, "owner.key"), "the-key-of-the-owner\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function serviceWith(variables: Readonly<Record<string, string>>) {
  for (const name of ["VIGIL_URL", "VIGIL_KEY"]) vi.stubEnv(name, variables[name] ?? "");
  return runningService(loadConfig({ VIGIL_DATA_DIR: folder, ...variables }, []), {});
}

describe("the key of a call without VIGIL_KEY", () => {
  test.each([
    ["without VIGIL_URL", {}],
    ["127.0.0.1", { VIGIL_URL: "http://127.0.0.1:9000" }],
    ["localhost", { VIGIL_URL: "http://localhost:8787" }],
    ["the IPv6 loopback address", { VIGIL_URL: "http://[::1]:8787" }],
    ["the public address", { VIGIL_URL: "https://vigil.example/", VIGIL_PUBLIC_URL: "https://vigil.example" }],
    ["the configured address", { VIGIL_URL: "http://10.0.0.5:8787", VIGIL_HOST: "10.0.0.5" }],
  ])("is the owner's for this service: %s", (_name, variables) => {
    expect(serviceWith(variables).key).toBe("the-key-of-the-owner");
  });

  test.each([
    ["another host", { VIGIL_URL: "https://vigil.example" }],
    ["a host that begins like a loopback address", { VIGIL_URL: "http://127.0.0.1.vigil.example" }],
    ["a loopback address as the user name", { VIGIL_URL: "http://127.0.0.1:8787@vigil.example" }],
    [
      "another port of the public host",
      { VIGIL_URL: "https://vigil.example:444", VIGIL_PUBLIC_URL: "https://vigil.example" },
    ],
    ["text that is not an address", { VIGIL_URL: "vigil.example" }],
  ])("is empty for %s", (_name, variables) => {
    expect(serviceWith(variables).key).toBe("");
  });
});

test("VIGIL_KEY is sent to any service", () => {
  const service = serviceWith({ VIGIL_URL: "https://vigil.example", VIGIL_KEY: "a-key" });
  expect(service).toEqual({ url: "https://vigil.example", key: "a-key" });
});
