import { type Static, Type } from "typebox";

/** A position on the globe; absent if unknown. */
export const GeoCoordinates = Type.Object(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90, description: "Degrees north" }),
    longitude: Type.Number({ minimum: -180, maximum: 180, description: "Degrees east" }),
  },
  { title: "GeoCoordinates", description: "A position on the globe; absent if unknown." },
);
export type GeoCoordinates = Static<typeof GeoCoordinates>;
