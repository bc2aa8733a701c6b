/** The packages that the build bundles into dist/vendor/: the name of the bundle of each module specifier. */
export const BUNDLED = {
  typebox: "typebox",
  "typebox/value": "typebox-value",
  "typebox/compile": "typebox-compile",
  kysely: "kysely",
  "topojson-client": "topojson-client",
  bullmq: "bullmq",
};
