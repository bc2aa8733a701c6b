/* The chart library, in a chunk that pages without charts do not load. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export { uPlot };
