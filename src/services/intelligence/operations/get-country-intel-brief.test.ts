import { describe, expect, test } from "vitest";
import { failed, fresh, notRequested, queryOf } from "../../../../test/support/operations.js";
import { absent, BUILT_AT } from "../../../../test/support/stored-answers.js";
import type { Observation } from "../../../contract/on-demand.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { getCountryIntelBrief } from "./get-country-intel-brief.js";

function answerTo(search: string, text: Observation<readonly unknown[]>) {
  const unused = (): never => {
    throw new Error("a brief is not paginated");
  };
  return getCountryIntelBrief.run(
    queryOf(getCountryIntelBrief, search),
    { facts: absent },
    {
      // The cast is safe, because the operation reads only the observation of its model text.
      observations: { text: text as never },
      simulated: false,
      now: () => BUILT_AT,
      paginate: unused,
      tally: silentTally,
      settingOf: settingReader({}),
    },
  );
}

describe("get-country-intel-brief", () => {
  test("is degraded and has no text if there is neither evidence nor a model", () => {
    expect(answerTo("country_code=UA", notRequested)).toEqual({
      countryCode: "UA",
      countryName: "Ukraine",
      brief: "",
      generatedAt: BUILT_AT,
      model: "",
      sources: [],
      evidence: [],
      claimsWithheld: 0,
      degraded: true,
    });
  });

  test("is degraded if the model failed", () => {
    expect(answerTo("country_code=UA", failed())).toMatchObject({ brief: "", degraded: true });
  });

  test("serves the model's text with its citations and the number of withheld claims", () => {
    const evidence = [
      {
        id: "E1",
        kind: "humanitarian",
        label: "Political violence",
        value: "412 events",
        factText: "In September 2026 there were 412 events of political violence.",
        asOf: "2026-09-30",
        url: "https://data.humdata.org/",
      },
    ];
    const claims = [{ section: "situation", text: "There were 412 events of political violence.", cites: ["E1"] }];
    const text = fresh({ claims, evidence, model: "test-model", withheld: 1 });
    expect(answerTo("country_code=UA", text)).toMatchObject({
      brief: expect.stringContaining("412 events of political violence. [E1]"),
      generatedAt: 7,
      model: "test-model",
      claimsWithheld: 1,
      degraded: false,
    });
  });

  test.each(["", "country_code=ua", "country_code=UKR", `country_code=UA&framework=${"a".repeat(2_001)}`])(
    "refuses the query %j",
    (search) => {
      expect(() => queryOf(getCountryIntelBrief, search)).toThrow();
    },
  );
});
