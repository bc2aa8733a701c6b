import { expect, test } from "vitest";
import { countryCode, countryKey } from "./country-key.js";

test.each([
  ["UA", "UA"],
  [" ua ", "UA"],
  ["Ukraine", "UA"],
  ["uKRAINE", "UA"],
  ["Myanmar (Burma)", "MM"],
  ["Myanmar", "MM"],
  ["Yemen (North Yemen)", "YE"],
  ["Russia (Soviet Union)", "RU"],
  ["DR Congo (Zaire)", "CD"],
  ["Democratic Republic of Congo", "CD"],
  ["Republic of Congo", "CG"],
  ["Congo", "CG"],
  ["Ivory Coast", "CI"],
  ["Palestine", "PS"],
  ["Bosnia-Herzegovina", "BA"],
  ["Macedonia, FYR", "MK"],
  ["Kingdom of eSwatini (Swaziland)", "SZ"],
  ["Kosovo", "XK"],
  ["United States of America", "US"],
  ["Syria", "SY"],
  ["Nowhere Land", "nowhere land"],
  ["QQ", "qq"],
  ["constructor", "constructor"],
  ["__proto__", "__proto__"],
])("the key of %j is %s", (text, key) => {
  expect(countryKey(text)).toBe(key);
});

test.each([
  [" uA ", "UA"],
  ["ukraine", "UA"],
  ["Kosovo", "XK"],
  ["", undefined],
  ["QQ", undefined],
  ["Ukrania", undefined],
])("the code of %j is %s", (text, code) => {
  expect(countryCode(text)).toBe(code);
});
