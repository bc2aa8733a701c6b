/** The endpoint that the examples in the documents use. */
export const exampleEndpointId = "whe_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
