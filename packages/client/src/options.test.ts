import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, createClient } from './index.ts';

const baseUrl = 'https://verify.example/api/v1';
const apiKey = `csk_${'0'.repeat(64)}`;

const errorOf = (options: Partial<Record<keyof ClientOptions, unknown>>): unknown => {
  try {
    createClient({ baseUrl, apiKey, ...options } as ClientOptions);
    return null;
  } catch (error) {
    return error;
  }
};

describe('createClient refuses', () => {
  it.each([undefined, '', 'verify.example/api/v1', '/api/v1', 'ftp://verify.example', 'localhost:8080/api/v1'])(
    'the baseUrl %j: not an http(s) URL',
    (value) => {
      expect(String(errorOf({ baseUrl: value }))).toMatch(/^TypeError: baseUrl is not an http\(s\) URL/);
    },
  );

  it.each(['https://user:secret@verify.example/api/v1', `${baseUrl}?key=1`, `${baseUrl}#top`])(
    'the baseUrl %j: more than origin and path',
    (value) => {
      expect(String(errorOf({ baseUrl: value }))).toMatch(
        /^TypeError: baseUrl has a user name, a query or a fragment/,
      );
    },
  );

  it.each([undefined, null, '', 1])('the apiKey %j: missing', (value) => {
    expect(String(errorOf({ apiKey: value }))).toMatch(/^TypeError: apiKey is missing/);
  });

  it.each([`${apiKey}\n`, ` ${apiKey}`, `csk_ ${apiKey}`, `${apiKey}\u00a0`, 'csk_…'])(
    'the apiKey %j: white space; the message does not contain the key',
    (value) => {
      const message = String(errorOf({ apiKey: value }));
      expect(message).toMatch(/^TypeError: apiKey contains white space/);
      expect(message).not.toContain(value.trim());
    },
  );

  it.each([
    ['maxRetries', -1],
    ['maxRetries', 11],
    ['maxRetries', 0.5],
    ['timeoutMs', 0],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', 2 ** 31],
    ['maxWaitMs', Number.NaN],
  ])('%s: %d', (name, value) => {
    expect(String(errorOf({ [name]: value }))).toMatch(
      new RegExp(`^TypeError: ${name} must be a whole number from`),
    );
  });
});

describe('in a browser window', () => {
  it('createClient refuses, because everyone could read the key, unless an option allows it', () => {
    vi.stubGlobal('window', { document: {} });
    const [refused, allowed] = [errorOf({}), errorOf({ dangerouslyAllowBrowser: true })];
    Reflect.deleteProperty(globalThis, 'window');
    expect(String(refused)).toMatch(/runs in a browser, where everyone can read its API key/);
    expect(allowed).toBeNull();
  });
});

it('createClient accepts a baseUrl with slashes at its end, and http', () => {
  expect(errorOf({ baseUrl: `${baseUrl}//` })).toBeNull();
  expect(errorOf({ baseUrl: 'http://127.0.0.1:8080/api/v1' })).toBeNull();
});
