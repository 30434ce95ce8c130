import { describe, expect, it } from 'vitest';

// Modules of pages are checked with the types of a browser, by a configuration of their own.
const module = new URL('../../../assets/capture-camera.js', import.meta.url).href;
const { problemOf } = (await import(module)) as { problemOf(error: unknown): string };

describe('a camera that does not work', () => {
  it.each([
    ['NotAllowedError', 'denied'],
    ['NotFoundError', 'missing'],
    ['OverconstrainedError', 'missing'],
    ['NotReadableError', 'busy'],
    ['EncodingError', 'failed'],
  ])('%s: shows the message %s', (name, problem) => {
    expect(problemOf(new DOMException('no camera', name))).toBe(problem);
  });

  it('any other error: shows the message failed', () => {
    expect(problemOf('broken')).toBe('failed');
  });
});
