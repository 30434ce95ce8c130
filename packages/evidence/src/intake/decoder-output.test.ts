import { expect, test } from 'vitest';
import { readDecoderOutput } from './decoder-output.ts';

const DRAWN = 'ready\n{"outcome":"drawn","warnings":["blur"],"sizes":[4,3]}\npicture';

test('decoder output: has the answer and the picture after it', () => {
  const { answer, pictures } = readDecoderOutput(Buffer.from(DRAWN), true);
  expect(answer).toEqual({ outcome: 'drawn', warnings: ['blur'], sizes: [4, 3] });
  expect(Buffer.from(pictures).toString()).toBe('picture');
});

test.each(['ready\n', 'ready\n{"outcome":"dra', DRAWN])(
  'decoder output: a decoder that died after %j means a damaged picture',
  (output) => {
    expect(readDecoderOutput(Buffer.from(output), false).answer).toEqual({ outcome: 'damaged' });
  },
);

test.each(['', 'rea', 'Error: cannot load'])(
  'decoder output: a decoder that printed only %j is a fault',
  (output) => {
    expect(() => readDecoderOutput(Buffer.from(output), false)).toThrow('does not start');
  },
);
