/** Saves a file created by the page. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken over the content by the time the click returns.
  URL.revokeObjectURL(address);
}

/** The text around the image of a chart. */
export interface ChartCaption {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly colour: string }[];
  /** Unit, time and source, one per line. */
  readonly facts: readonly string[];
}

const NO_CAPTION: ChartCaption = { title: "", lines: [], facts: [] };
const TEXT_PX = 12;
const ROW_PX = 18;
const EDGE_PX = 12;

/** Saves the canvas of a chart as PNG on the page's background colour, with its caption. */
export async function downloadCanvas(name: string, canvas: HTMLCanvasElement, caption = NO_CAPTION): Promise<void> {
  const copy = captioned(canvas, caption);
  const image = await new Promise<Blob | null>((resolve) => copy.toBlob(resolve, "image/png"));
  if (!image) throw new Error("the chart could not be saved as an image");
  download(name, image);
}

/** Returns a copy of the chart, with the title and the line names above the chart and the facts below it. */
function captioned(chart: HTMLCanvasElement, { title, lines, facts }: ChartCaption): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  const context = copy.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  // The canvas of a chart has the resolution of the screen, so the caption is scaled from CSS pixels to canvas pixels.
  const scale = chart.clientWidth > 0 ? chart.width / chart.clientWidth : 1;
  const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
  const font = `${TEXT_PX * scale}px ${fontFamily}`;
  const row = ROW_PX * scale;
  const edge = EDGE_PX * scale;
  context.font = font;
  const fits = (text: string): boolean => context.measureText(text).width <= chart.width - 2 * edge;
  const factRows = facts.flatMap((fact) => wrapped(fact, fits));
  const headRows = [title !== "", lines.length > 0].filter(Boolean).length;
  const chartTop = headRows * row + edge;
  copy.width = chart.width;
  copy.height = Math.ceil(chartTop + chart.height + (factRows.length + 1) * row);

  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, copy.width, copy.height);
  context.textBaseline = "top";
  context.fillStyle = color;
  context.font = `600 ${font}`;
  context.fillText(title, edge, edge);
  context.font = font;
  factRows.forEach((fact, at) => {
    context.fillText(fact, edge, chartTop + chart.height + (at + 0.5) * row);
  });
  let left = edge;
  for (const line of lines) {
    context.fillStyle = line.colour;
    context.fillText(line.name, left, chartTop - row + edge / 2);
    left += context.measureText(line.name).width + row;
  }
  context.drawImage(chart, 0, chartTop);
  return copy;
}

/** Text broken into lines that fit. */
function wrapped(text: string, fits: (text: string) => boolean): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
