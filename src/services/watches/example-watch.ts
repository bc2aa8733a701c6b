/** The watch that the examples in the documents use. */
export const exampleWatchId = "wch_01KAZJ9M3T8V6Y2C4E5F7G8H9J";

export const exampleDefinition = {
  name: "New large earthquakes",
  call: "/api/seismology/v1/list-earthquakes?min_magnitude=6",
  on: "WATCH_ON_NEW_ROWS",
} as const;
