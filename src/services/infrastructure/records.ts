import { type Static, Type } from "typebox";
import { epochMs } from "../../contract/field.js";

/** An unusual drop or rise of internet traffic in a country or network. */
export const TrafficAnomaly = Type.Object(
  {
    uuid: Type.String({ description: "Id of the anomaly at its source" }),
    type: Type.String({ description: "Type of the anomaly: LOCATION or AS" }),
    status: Type.String({ description: "State of the anomaly at its source: VERIFIED or UNVERIFIED" }),
    startDate: epochMs("Start of the anomaly"),
    endDate: epochMs("End of the anomaly; 0 while ongoing"),
    asn: Type.Optional(Type.String({ description: "Number of the network, for an anomaly of a network" })),
    asnName: Type.Optional(Type.String({ description: "Name of the network, for an anomaly of a network" })),
    locationCode: Type.Optional(Type.String({ description: "ISO 3166-1 alpha-2" })),
    locationName: Type.Optional(Type.String({ description: "Country, by its English name" })),
    latitude: Type.Optional(Type.Number({ format: "float", description: "Centre of the country; degrees north" })),
    longitude: Type.Optional(Type.Number({ format: "float", description: "Centre of the country; degrees east" })),
  },
  { title: "TrafficAnomaly" },
);
export type TrafficAnomaly = Static<typeof TrafficAnomaly>;
