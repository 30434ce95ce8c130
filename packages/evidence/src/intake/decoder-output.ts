import { type Answer, READY } from '../decoder/answer.ts';

/** The decoder's answer, and the new pictures behind it. */
export interface Decoded {
  readonly answer: Answer;
  readonly pictures: Uint8Array;
}

/**
 * Parses the decoder's output. If the decoder began and did not finish, the file killed it.
 * @throws Error if the decoder did not begin, because its library cannot be loaded
 */
export function readDecoderOutput(output: Buffer, isComplete: boolean): Decoded {
  if (!output.subarray(0, READY.length).equals(Buffer.from(READY))) {
    throw new Error('The decoder of files does not start. Is sharp installed for this platform?');
  }
  const end = output.indexOf('\n', READY.length);
  if (!isComplete || end === -1) return { answer: { outcome: 'damaged' }, pictures: new Uint8Array() };
  const answer = JSON.parse(output.toString('utf8', READY.length, end)) as Answer;
  return { answer, pictures: output.subarray(end + 1) };
}
