import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";

/** An unusual drop or rise of internet traffic in a country or network. */
export const TrafficAnomaly = Type.Object(
  {
    uuid: Type.String({ description: "Id of the anomaly at its source" }),
    type: Type.String({ description: "As the source names it: LOCATION, AS" }),
    status: Type.String({ description: "As the source names it: VERIFIED, UNVERIFIED" }),
    startDate: epochMs("When it began"),
    endDate: epochMs("When it ended; 0 while it lasts"),
    asn: Type.Optional(Type.String({ description: "Number of the network, where it is about one" })),
    asnName: Type.Optional(Type.String({ description: "Name of the network, where it is about one" })),
    locationCode: Type.Optional(Type.String({ description: "ISO 3166-1 alpha-2" })),
    locationName: Type.Optional(Type.String({ description: "Country, by its English name" })),
    latitude: Type.Optional(Type.Number({ format: "float", description: "Centre of the country; degrees north" })),
    longitude: Type.Optional(Type.Number({ format: "float", description: "Centre of the country; degrees east" })),
  },
  { title: "TrafficAnomaly" },
);
export type TrafficAnomaly = Static<typeof TrafficAnomaly>;
