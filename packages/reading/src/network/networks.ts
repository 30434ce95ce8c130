import { convolve, type Planes, planes, type Steps } from './convolution.ts';
import { type DescribedLayer, unpackWeights } from './weights.ts';

/** The two networks of the reader: one finds lines, one recognises characters. */
export interface Networks {
  /** Marks the middle of machine-readable lines: a value above 0 for each pixel of a quarter of the picture's sides. */
  readonly find: (picture: Planes) => Planes;
  /** For each two columns of a strip of 24 rows the score of each character and, last, of a gap. */
  readonly recognise: (strip: Planes) => Planes;
  /** Returns how many multiplications the networks have done so far. Most of a reading's time is spent on them. */
  readonly multiplications: () => number;
}

/** Puts the channels of two planes side by side, the second drawn twice as large. */
function join(fine: Planes, coarse: Planes): Planes {
  const joined = planes(fine.height, fine.width, fine.channels + coarse.channels);
  let to = 0;
  for (let y = 0; y < fine.height; y += 1) {
    for (let x = 0; x < fine.width; x += 1) {
      const from = (y * fine.width + x) * fine.channels;
      for (let c = 0; c < fine.channels; c += 1) joined.data[to++] = fine.data[from + c];
      const half = ((y >> 1) * coarse.width + (x >> 1)) * coarse.channels;
      for (let c = 0; c < coarse.channels; c += 1) joined.data[to++] = coarse.data[half + c];
    }
  }
  return joined;
}

/**
 * Makes the networks of their weights.
 * @param content the file of weights, bytes of 8 bits
 * @param layers what the manifest says of each layer, in the order of the file
 * @throws Error for a layer that is missing or has another size
 */
export function createNetworks(content: Uint8Array, layers: readonly DescribedLayer[]): Networks {
  const kernels = unpackWeights(content, layers);
  let multiplications = 0;
  const layer = (name: string, source: Planes, steps?: Steps) => {
    const kernel = kernels.get(name);
    if (!kernel) throw new Error(`The weights lack the layer ${name}.`);
    const result = convolve(source, kernel, steps);
    multiplications += result.height * result.width * kernel.weights.length;
    return result;
  };
  return {
    find: (picture) => {
      const fine = layer('f2', layer('f1', picture, { down: 2, across: 2 }), { down: 2, across: 2 });
      let coarse = layer('f3', fine, { down: 2, across: 2 });
      [1, 2, 4, 8].forEach((dilation, index) => {
        coarse = layer(`f${index + 4}`, coarse, { dilation });
      });
      return layer('f9', layer('f8', join(fine, coarse)), { linear: true });
    },
    recognise: (strip) => {
      const first = layer('r1', strip, { down: 2, across: 2 });
      const second = layer('r2', first, { down: 2 });
      const third = layer('r3', second, { down: 2 });
      return layer('r6', layer('r5', layer('r4', third, { padRows: false })), { linear: true });
    },
    multiplications: () => multiplications,
  };
}
