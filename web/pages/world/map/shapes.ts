/** The shapes of marks, so that layers differ by more than colour. A flow is drawn as a line between two places. */
export type Shape =
  | "circle"
  | "ring"
  | "diamond"
  | "square"
  | "triangle"
  | "wedge"
  | "hexagon"
  | "plus"
  | "cross"
  | "dart"
  | "flow";

/** The outlines as SVG paths in a box from -1 to 1, for the canvas and the legend. */
export const OUTLINES: Readonly<Record<Shape, string>> = {
  circle: "M-.85 0A.85 .85 0 1 0 .85 0A.85 .85 0 1 0 -.85 0Z",
  ring: "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0ZM-.5 0A.5 .5 0 1 1 .5 0A.5 .5 0 1 1 -.5 0Z",
  diamond: "M0 -1.1L1.1 0L0 1.1L-1.1 0Z",
  square: "M-.8 -.8H.8V.8H-.8Z",
  triangle: "M0 -1L1.05 .85H-1.05Z",
  wedge: "M0 1L1.05 -.85H-1.05Z",
  hexagon: "M-.5 -.87H.5L1 0L.5 .87H-.5L-1 0Z",
  plus: "M-.35 -1H.35V-.35H1V.35H.35V1H-.35V.35H-1V-.35H-.35Z",
  cross: "M-.6 -1L0 -.4L.6 -1L1 -.6L.4 0L1 .6L.6 1L0 .4L-.6 1L-1 .6L-.4 0L-1 -.6Z",
  dart: "M0 -1.1L.8 1L0 .55L-.8 1Z",
  flow: "M-1 .75L-.7 1L.45 .05L.75 .45L1 -.9L-.3 -.6L.1 -.35Z",
};
