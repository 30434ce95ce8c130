import { type Answer, READY } from '../decoder/answer.ts';

/** What the decoder said, and the new picture behind `drawn`. */
export interface Decoded {
  readonly answer: Answer;
  readonly picture: Uint8Array;
}

/**
 * Reads what the decoder wrote. One that began and did not come to its end was ended by the picture.
 * @throws Error where it did not even begin: its library cannot be loaded
 */
export function readDecoderOutput(output: Buffer, isComplete: boolean): Decoded {
  if (!output.subarray(0, READY.length).equals(Buffer.from(READY))) {
    throw new Error('The decoder of pictures does not start. Is sharp installed for this platform?');
  }
  const end = output.indexOf('\n', READY.length);
  if (!isComplete || end === -1) return { answer: { outcome: 'damaged' }, picture: new Uint8Array() };
  const answer = JSON.parse(output.toString('utf8', READY.length, end)) as Answer;
  // A copy, so that the whole buffer can be freed.
  return { answer, picture: new Uint8Array(output.subarray(end + 1)) };
}
