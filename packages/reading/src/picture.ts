/** A grey picture: one byte a pixel, row by row. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** The picture with its longest side `side`, each pixel the mean of those it covers, and how much smaller it is. */
export function shrink(picture: GreyPicture, side: number): { picture: GreyPicture; scale: number } {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const data = new Uint8Array(width * height);
  const sums = new Float64Array(width);
  const columns = Int32Array.from({ length: width + 1 }, (_, x) => Math.floor((x * picture.width) / width));
  for (let y = 0; y < height; y += 1) {
    const top = Math.floor((y * picture.height) / height);
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * picture.height) / height));
    sums.fill(0);
    for (let sourceY = top; sourceY < bottom; sourceY += 1) {
      const row = sourceY * picture.width;
      for (let x = 0; x < width; x += 1) {
        let sum = 0;
        for (let sourceX = columns[x]; sourceX < columns[x + 1]; sourceX += 1) sum += picture.data[row + sourceX];
        sums[x] += sum;
      }
    }
    for (let x = 0; x < width; x += 1) {
      data[y * width + x] = Math.round(sums[x] / ((bottom - top) * Math.max(1, columns[x + 1] - columns[x])));
    }
  }
  return { picture: { width, height, data }, scale };
}
