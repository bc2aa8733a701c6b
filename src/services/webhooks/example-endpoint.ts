/** The endpoint of the examples in the documents. */
export const exampleEndpointId = "whe_01KAZJ9M3T8V6Y2C4E5F7G8H9J";
