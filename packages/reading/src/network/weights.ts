import type { Kernel } from './convolution.ts';

/** What manifest.json says of each convolution in the file of weights. */
export interface DescribedLayer {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
}

/**
 * The convolutions in a file of weights. Each has for every output a scale and a bias (32-bit floats), then a byte for
 * each weight in the order row, column, input, output.
 */
export function unpackWeights(
  content: Uint8Array,
  layers: readonly DescribedLayer[],
): ReadonlyMap<string, Kernel> {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  return new Map(
    layers.map(({ name, shape, offset }) => {
      const [height, width, input, output] = shape as readonly [number, number, number, number];
      const size = height * width * input;
      const scale = (index: number) => view.getFloat32(offset + 4 * index, true);
      const bias = Float64Array.from({ length: output }, (_, index) =>
        view.getFloat32(offset + 4 * (output + index), true),
      );
      const weights = new Float64Array(size * output);
      const first = offset + 8 * output;
      for (let index = 0; index < size * output; index += 1) {
        const [place, out] = [Math.floor(index / output), index % output];
        weights[out * size + place] = view.getInt8(first + index) * scale(out);
      }
      return [name, { height, width, input, output, weights, bias }];
    }),
  );
}
