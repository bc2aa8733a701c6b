/** Saves a file that the page has made. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the content over when the click returns.
  URL.revokeObjectURL(address);
}

/** Saves the canvas of a chart as PNG, on the background of the page. */
export async function downloadCanvas(name: string, canvas: HTMLCanvasElement): Promise<void> {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const context = copy.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  const image = await new Promise<Blob | null>((resolve) => copy.toBlob(resolve, "image/png"));
  if (!image) throw new Error("the chart could not be saved as an image");
  download(name, image);
}
