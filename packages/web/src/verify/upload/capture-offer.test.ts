import { describe, expect, it } from 'vitest';

// Modules of pages are checked with the types of a browser, by a configuration of their own. Node has no such events.
Object.assign(globalThis, { addEventListener: () => undefined, location: { pathname: '', search: '' } });
const module = new URL('../../../assets/capture-offer.js', import.meta.url).href;
const { browserOf, problemOf } = (await import(module)) as {
  browserOf(userAgent: string): string;
  problemOf(error: unknown): string;
};

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

describe('the steps to allow the camera are those of', () => {
  it.each([
    [
      'ios',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile Safari/604.1',
    ],
    [
      'ios',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0 Mobile Safari/604.1',
    ],
    ['android', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36'],
    ['firefox', 'Mozilla/5.0 (Android 15; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0'],
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'],
    [
      'chrome',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0',
    ],
    [
      'safari',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15',
    ],
    ['other', 'curl/8.0'],
  ])('%s: %s', (browser, userAgent) => {
    expect(browserOf(userAgent)).toBe(browser);
  });
});
