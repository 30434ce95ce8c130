/** Values of a network's layer: rows of pixels of channels. */
export interface Planes {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly data: Float64Array;
}

export interface Kernel {
  readonly height: number;
  readonly width: number;
  readonly input: number;
  readonly output: number;
  /** For each output its weights, row by row of pixels of channels. */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
}

export interface Steps {
  readonly down?: number;
  readonly across?: number;
  readonly dilation?: number;
  /** Whether rows beyond the picture count as zeros; columns always do. */
  readonly padRows?: boolean;
  /** Whether values below 0 stay. */
  readonly linear?: boolean;
}

export function planes(height: number, width: number, channels: number): Planes {
  return { height, width, channels, data: new Float64Array(height * width * channels) };
}

/** Zeros before the first pixel, as training pads: the larger half stands behind. */
function before(size: number, taps: number, step: number, dilation: number): { out: number; pad: number } {
  const out = Math.ceil(size / step);
  const reach = (taps - 1) * dilation + 1;
  return { out, pad: Math.floor(Math.max(0, (out - 1) * step + reach - size) / 2) };
}

/** Pixels multiplied together: what they see and the weights stay in the processor's cache. */
const TILE = 16;

/** Lays what each output of row `y` from column `first` on sees side by side. */
function gather(
  source: Planes,
  kernel: Kernel,
  tile: Float64Array,
  y: number,
  padY: number,
  padX: number,
  first: number,
  count: number,
  steps: Required<Steps>,
): void {
  const { height, width, channels, data } = source;
  const size = kernel.height * kernel.width * channels;
  const line = kernel.width * channels;
  for (let ky = 0; ky < kernel.height; ky += 1) {
    const sourceY = y * steps.down - padY + ky * steps.dilation;
    const isInside = sourceY >= 0 && sourceY < height;
    for (let x = 0; x < count; x += 1) {
      let to = x * size + ky * line;
      for (let kx = 0; kx < kernel.width; kx += 1) {
        const sourceX = (first + x) * steps.across - padX + kx * steps.dilation;
        if (!isInside || sourceX < 0 || sourceX >= width) {
          for (let c = 0; c < channels; c += 1) tile[to++] = 0;
        } else {
          let from = (sourceY * width + sourceX) * channels;
          for (let c = 0; c < channels; c += 1) tile[to++] = data[from++];
        }
      }
    }
  }
}

/** Multiplies gathered pixels by the kernel: two pixels and four outputs at a time stay in registers. */
function multiply(
  tile: Float64Array,
  pixels: number,
  kernel: Kernel,
  target: Float64Array,
  at: number,
  linear: boolean,
): void {
  const { output, weights, bias } = kernel;
  const size = kernel.height * kernel.width * kernel.input;
  const floor = linear ? Number.NEGATIVE_INFINITY : 0;
  for (let o = 0; o < output; o += 4) {
    const many = output - o >= 4;
    for (let x = 0; x < pixels; x += 2) {
      const pair = x + 1 < pixels;
      const a = x * size;
      const b = pair ? a + size : a;
      if (many) {
        let [a0, a1, a2, a3] = [bias[o], bias[o + 1], bias[o + 2], bias[o + 3]];
        let [b0, b1, b2, b3] = [a0, a1, a2, a3];
        const w0 = o * size;
        const w1 = w0 + size;
        const w2 = w1 + size;
        const w3 = w2 + size;
        for (let k = 0; k < size; k += 1) {
          const va = tile[a + k];
          const vb = tile[b + k];
          const u0 = weights[w0 + k];
          const u1 = weights[w1 + k];
          const u2 = weights[w2 + k];
          const u3 = weights[w3 + k];
          a0 += va * u0;
          a1 += va * u1;
          a2 += va * u2;
          a3 += va * u3;
          b0 += vb * u0;
          b1 += vb * u1;
          b2 += vb * u2;
          b3 += vb * u3;
        }
        const ta = at + x * output + o;
        target[ta] = Math.max(a0, floor);
        target[ta + 1] = Math.max(a1, floor);
        target[ta + 2] = Math.max(a2, floor);
        target[ta + 3] = Math.max(a3, floor);
        if (pair) {
          const tb = ta + output;
          target[tb] = Math.max(b0, floor);
          target[tb + 1] = Math.max(b1, floor);
          target[tb + 2] = Math.max(b2, floor);
          target[tb + 3] = Math.max(b3, floor);
        }
      } else {
        for (let rest = o; rest < output; rest += 1) {
          let [sumA, sumB] = [bias[rest], bias[rest]];
          for (let k = 0; k < size; k += 1) {
            sumA += tile[a + k] * weights[rest * size + k];
            sumB += tile[b + k] * weights[rest * size + k];
          }
          target[at + x * output + rest] = Math.max(sumA, floor);
          if (pair) target[at + (x + 1) * output + rest] = Math.max(sumB, floor);
        }
      }
    }
  }
}

export function convolve(source: Planes, kernel: Kernel, steps: Steps = {}): Planes {
  const { down = 1, across = 1, dilation = 1, padRows = true, linear = false } = steps;
  const vertical = padRows
    ? before(source.height, kernel.height, down, dilation)
    : { out: Math.floor((source.height - (kernel.height - 1) * dilation - 1) / down) + 1, pad: 0 };
  const horizontal = before(source.width, kernel.width, across, dilation);
  const result = planes(vertical.out, horizontal.out, kernel.output);
  const tile = new Float64Array(TILE * kernel.height * kernel.width * source.channels);
  const all = { down, across, dilation, padRows, linear };
  for (let y = 0; y < vertical.out; y += 1) {
    for (let x = 0; x < horizontal.out; x += TILE) {
      const count = Math.min(TILE, horizontal.out - x);
      gather(source, kernel, tile, y, vertical.pad, horizontal.pad, x, count, all);
      multiply(tile, count, kernel, result.data, (y * horizontal.out + x) * kernel.output, linear);
    }
  }
  return result;
}
