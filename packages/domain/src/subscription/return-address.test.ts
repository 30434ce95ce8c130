import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseReturnAddresses,
  parseReturnUrl,
  RETURN_ADDRESSES_MAX,
  RETURN_URL_MAX,
  returnLinkOf,
} from './return-address.ts';

const SHOP = ['https://shop.example/kyc'];
const ID = '01993d4c-5a80-7cc5-b4b4-3c1f0ae1a602';

const issueAt = (path: string, message: RegExp) =>
  expect.objectContaining({
    code: 'INVALID_PARAMETERS',
    data: { issues: [expect.objectContaining({ path, message: expect.stringMatching(message) as string })] },
  }) as Error;

/** URLs that are refused whatever the list says, each with the reason. */
const UNSAFE: readonly [what: string, url: string, reason: RegExp][] = [
  ['is empty', '', /begins with https/],
  ['is a path', '/kyc/done', /begins with https/],
  ['is relative to the scheme', '//shop.example/kyc', /begins with https/],
  ['has the scheme javascript', 'javascript:alert(1)//https://shop.example/kyc', /begins with https/],
  ['has the scheme data', 'data:text/html,https://shop.example/kyc', /begins with https/],
  ['has the scheme of an app', 'shop://shop.example/kyc', /begins with https/],
  ['is plain HTTP', 'http://shop.example/kyc', /https/],
  ['is plain HTTP at a look-alike of localhost', 'http://localhost.shop.example/kyc', /https/],
  ['has one slash', 'https:/shop.example/kyc', /begins with https/],
  ['has three slashes', 'https:///shop.example/kyc', /begins with https/],
  ['has no host', 'https://', /begins with https/],
  ['begins with a space', ' https://shop.example/kyc', /begins with https/],
  ['begins with a control character', '\u0001https://shop.example/kyc', /begins with https/],
  ['ends with a line break', 'https://shop.example/kyc\n', /begins with https|characters of a URL/],
  ['has a line break in the scheme', 'java\nscript:alert(1)', /begins with https/],
  ['has a tab in the host', 'https://shop.exa\tmple/kyc', /host name/],
  ['has a user name', 'https://shop.example@evil.example/kyc', /user name/],
  ['has a user name and a password', 'https://shop.example:443@evil.example/kyc', /user name/],
  ['has an empty user name', 'https://@shop.example/kyc', /user name/],
  ['has backslashes', 'https:\\\\shop.example\\kyc', /begins with https/],
  ['has a backslash after the host', 'https://evil.example\\@shop.example/kyc', /user name|host name/],
  ['has a backslash in the path', 'https://shop.example/kyc\\..\\admin', /characters of a URL/],
  ['has a host beyond ASCII', 'https://shöp.example/kyc', /host name in ASCII/],
  ['has a full-width dot', 'https://shop．example/kyc', /host name in ASCII/],
  ['has an ideographic full stop', 'https://shop。example/kyc', /host name in ASCII/],
  ['has a zero-width space in the host', 'https://shop\u200b.example/kyc', /host name in ASCII/],
  ['has an encoded host', 'https://shop%2eexample/kyc', /host name/],
  ['has a dot after the host', 'https://shop.example./kyc', /host name/],
  ['has an empty label', 'https://shop..example/kyc', /host name/],
  ['has a label that begins with a hyphen', 'https://-shop.example/kyc', /host name/],
  ['has a label of 64 characters', `https://${'a'.repeat(64)}.example/kyc`, /host name/],
  ['has a host of 254 characters', `https://${'a.'.repeat(126)}example/kyc`, /host name/],
  ['has an IPv4 address', 'https://192.0.2.1/kyc', /host name/],
  ['has an IPv4 address as a number', 'https://3221225985/kyc', /host name/],
  ['has an IPv4 address in hexadecimal', 'https://0xc0000201/kyc', /host name/],
  ['has an IPv6 address', 'https://[::1]/kyc', /host name/],
  ['has port 0', 'https://shop.example:0/kyc', /host name/],
  ['has port 65536', 'https://shop.example:65536/kyc', /host name/],
  ['has an empty port', 'https://shop.example:/kyc', /host name/],
  ['has a port with a zero in front', 'https://shop.example:0443/kyc', /host name/],
  ['has a fragment', 'https://shop.example/kyc#done', /fragment/],
  ['climbs', 'https://shop.example/kyc/../admin', /\. or \.\./],
  ['climbs at its end', 'https://shop.example/kyc/..', /\. or \.\./],
  ['has a single dot', 'https://shop.example/kyc/./done', /\. or \.\./],
  ['climbs with encoded dots', 'https://shop.example/kyc/%2e%2e/admin', /encoded dot/],
  ['climbs with one encoded dot', 'https://shop.example/kyc/.%2E/admin', /encoded dot/],
  ['climbs with dots encoded twice', 'https://shop.example/kyc/%252e%252e/admin', /encoded dot/],
  ['climbs with an encoded slash', 'https://shop.example/kyc/..%2fadmin', /encoded dot, slash/],
  ['climbs with an encoded backslash', 'https://shop.example/kyc/..%5cadmin', /encoded dot, slash/],
  ['climbs with a path parameter', 'https://shop.example/kyc/..;x=1/admin', /\. or \.\./],
  ['has an empty part in the path', 'https://shop.example/kyc//evil.example', /empty part/],
  ['begins its path with two slashes', 'https://shop.example//kyc', /empty part/],
  ['has a space', 'https://shop.example/kyc/a b', /characters of a URL/],
  ['has an umlaut', 'https://shop.example/kyc/ü', /characters of a URL/],
  ['has a quotation mark', 'https://shop.example/kyc/"onclick', /characters of a URL/],
  ['has angle brackets in its query', 'https://shop.example/kyc?a=<b>', /characters of a URL/],
  ['has a NUL', 'https://shop.example/kyc\u0000', /characters of a URL/],
  ['has an encoded line break', 'https://shop.example/kyc?a=%0d%0aSet-Cookie:x', /control characters/],
  ['has an encoded NUL', 'https://shop.example/kyc/%00', /control characters/],
  ['has an encoded DEL', 'https://shop.example/kyc/%7F', /control characters/],
  ['has half an encoded character', 'https://shop.example/kyc/%4', /hexadecimal/],
  ['has a % alone', 'https://shop.example/kyc?a=100%', /hexadecimal/],
  ['has 10,000 characters', `https://shop.example/kyc/${'a'.repeat(10_000)}`, /at most 2048 characters/],
];

describe('parseReturnAddresses', () => {
  it.each([
    ['https://shop.example', 'https://shop.example/'],
    ['https://shop.example/', 'https://shop.example/'],
    ['https://shop.example/kyc', 'https://shop.example/kyc'],
    ['https://shop.example/kyc/', 'https://shop.example/kyc'],
    ['HTTPS://Shop.Example:443/KYC', 'https://shop.example/KYC'],
    ['https://shop.example:8443/kyc', 'https://shop.example:8443/kyc'],
    ['https://xn--shp-fna.example/%c3%bc', 'https://xn--shp-fna.example/%C3%BC'],
    ['http://localhost:3000/done', 'http://localhost:3000/done'],
    ['http://127.0.0.1:80', 'http://127.0.0.1/'],
    ["https://shop.example/a-b._~!$&'()*+,;=:@", "https://shop.example/a-b._~!$&'()*+,;=:@"],
  ])('%s is kept as %s', (entry, kept) => {
    expect(parseReturnAddresses([entry])).toEqual([kept]);
  });

  it('keeps each address once, in the order given', () => {
    const entries = ['https://b.example/x/', 'https://a.example', 'https://B.example/x', 'https://a.example/'];
    expect(parseReturnAddresses(entries)).toEqual(['https://b.example/x', 'https://a.example/']);
  });

  it('accepts an empty list', () => {
    expect(parseReturnAddresses([])).toEqual([]);
  });

  it('an entry is kept unchanged when it is parsed again', () => {
    const kept = parseReturnAddresses(['https://Shop.example:443/%c3%bc/', 'https://shop.example']);
    expect(parseReturnAddresses(kept)).toEqual(kept);
  });

  it.each(UNSAFE)('refuses an address that %s', (_, entry, reason) => {
    expect(() => parseReturnAddresses(['https://good.example', entry])).toThrow(
      issueAt('returnAddresses.1', reason),
    );
  });

  it.each([
    ['a query', 'https://shop.example/kyc?a=1', /query/],
    ['a wildcard host', 'https://*.shop.example/kyc', /host name/],
  ])('refuses an address with %s', (_, entry, reason) => {
    expect(() => parseReturnAddresses([entry])).toThrow(issueAt('returnAddresses.0', reason));
  });

  it('names every bad address', () => {
    try {
      parseReturnAddresses(['http://a.example', 'https://b.example', 'c']);
      expect.unreachable();
    } catch (error) {
      const { issues } = (error as { data: { issues: { path: string }[] } }).data;
      expect(issues.map(({ path }) => path)).toEqual(['returnAddresses.0', 'returnAddresses.2']);
    }
  });

  it(`refuses more than ${RETURN_ADDRESSES_MAX} addresses`, () => {
    const entries = Array.from({ length: RETURN_ADDRESSES_MAX + 1 }, (_, n) => `https://shop${n}.example`);
    expect(parseReturnAddresses(entries.slice(1))).toHaveLength(RETURN_ADDRESSES_MAX);
    expect(() => parseReturnAddresses(entries)).toThrow(issueAt('returnAddresses', /at most 20 entries/));
  });
});

describe('parseReturnUrl', () => {
  it.each([
    ['the address itself', 'https://shop.example/kyc'],
    ['a slash after it', 'https://shop.example/kyc/'],
    ['a path below it', 'https://shop.example/kyc/done/42'],
    ['a query', 'https://shop.example/kyc?order=42&next=%2Fcart'],
    ['a query with a slash and a question mark', 'https://shop.example/kyc/done?next=/cart?x=1'],
    ['a segment that begins with dots', 'https://shop.example/kyc/..done'],
    ['a segment that ends with dots', 'https://shop.example/kyc/done..'],
    ['the most characters', `https://shop.example/kyc/${'a'.repeat(RETURN_URL_MAX - 25)}`],
  ])('accepts %s', (_, url) => {
    expect(parseReturnUrl(url, SHOP)).toBe(url);
  });

  it('accepts any path below an address that is an origin', () => {
    expect(parseReturnUrl('https://shop.example/kyc', ['https://shop.example/'])).toBe('https://shop.example/kyc');
  });

  it('writes the origin in one spelling and drops an empty query', () => {
    expect(parseReturnUrl('HTTPS://SHOP.example:443/kyc/Done?', SHOP)).toBe('https://shop.example/kyc/Done');
    expect(parseReturnUrl('https://shop.example?a=1', ['https://shop.example/'])).toBe(
      'https://shop.example/?a=1',
    );
  });

  it.each(UNSAFE)('refuses a URL that %s', (_, url, reason) => {
    const anywhere = ['https://shop.example/', 'https://evil.example/', 'https://good.example/'];
    expect(() => parseReturnUrl(url, anywhere)).toThrow(issueAt('returnUrl', reason));
  });

  it.each([
    ['another host', 'https://evil.example/kyc'],
    ['the host as a part of another one', 'https://shop.example.evil.example/kyc'],
    ['a subdomain', 'https://www.shop.example/kyc'],
    ['a host that ends alike', 'https://myshop.example/kyc'],
    ['a look-alike in punycode', 'https://xn--shp-8cd.example/kyc'],
    ['another port', 'https://shop.example:8443/kyc'],
    ['another path', 'https://shop.example/admin'],
    ['the parent of the path', 'https://shop.example/'],
    ['no path', 'https://shop.example'],
    ['a path that begins alike', 'https://shop.example/kyc-admin'],
    ['another case of the path', 'https://shop.example/KYC'],
    ['the path as a parameter', 'https://shop.example/?kyc'],
    ['an encoded letter of the path', 'https://shop.example/%6byc'],
    ['localhost', 'http://localhost/kyc'],
  ])('refuses %s', (_, url) => {
    expect(() => parseReturnUrl(url, SHOP)).toThrow(issueAt('returnUrl', /is not below/));
  });

  it('refuses every URL while the list is empty', () => {
    expect(() => parseReturnUrl('https://shop.example/kyc', [])).toThrow(issueAt('returnUrl', /is not below/));
  });

  it.each(['verificationId=1', 'a=1&status=approved', 'status', 'st%61tus=approved', 'a&verificationId'])(
    'refuses the query %s: the link adds it',
    (query) => {
      expect(() => parseReturnUrl(`https://shop.example/kyc?${query}`, SHOP)).toThrow(
        issueAt('returnUrl', /is added/),
      );
    },
  );

  it('refuses a query that is not UTF-8', () => {
    expect(() => parseReturnUrl('https://shop.example/kyc?a%ff=1', SHOP)).toThrow(issueAt('returnUrl', /UTF-8/));
  });

  it('compares encoded characters without regard to their case', () => {
    const list = parseReturnAddresses(['https://shop.example/%c3%bc']);
    expect(parseReturnUrl('https://shop.example/%C3%bc/x', list)).toBe('https://shop.example/%C3%bc/x');
  });

  it('10,000 mutated URLs: what is accepted, a browser opens below an address of the list', () => {
    const parts =
      'https: http: javascript: / // \\ @ : ? # . .. ; %2e %2F %5c %00 % shop.example evil.example kyc xn--'
        .split(' ')
        .concat(['\t', '\n', ' ', '。', '&', '=']);
    const piece = fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 3, unit: 'binary' }));
    const base = fc.constantFrom<string[]>(
      'https://shop.example/kyc',
      'https://shop.example/kyc/a/b?c=d',
      'https://shop.example',
    );
    const mutated = fc
      .tuple(base, fc.array(fc.tuple(fc.nat(40), fc.nat(6), piece), { minLength: 1, maxLength: 3 }))
      .map(([url, changes]) =>
        changes.reduce((text, [at, removed, added]) => text.slice(0, at) + added + text.slice(at + removed), url),
      );
    let accepted = 0;
    fc.assert(
      fc.property(mutated, (url) => {
        const link = returnLinkOf(url, SHOP, { id: ID, status: 'approved' });
        if (link === null) return;
        accepted += 1;
        const { origin, username, password, pathname, searchParams, hash } = new URL(link);
        expect([origin, username, password, hash]).toEqual(['https://shop.example', '', '', '']);
        expect(pathname === '/kyc' || pathname.startsWith('/kyc/')).toBe(true);
        expect([searchParams.getAll('verificationId'), searchParams.getAll('status')]).toEqual([
          [ID],
          ['approved'],
        ]);
      }),
      { numRuns: 10_000, seed: 14 },
    );
    expect(accepted).toBeGreaterThan(200);
  });
});

describe('returnLinkOf', () => {
  it.each([
    ['https://shop.example/kyc', `https://shop.example/kyc?verificationId=${ID}&status=rejected`],
    ['https://shop.example/kyc?a=1', `https://shop.example/kyc?a=1&verificationId=${ID}&status=rejected`],
    ['https://shop.example/kyc/?', `https://shop.example/kyc/?verificationId=${ID}&status=rejected`],
  ])('of %s adds the id and the status to the query', (url, link) => {
    expect(returnLinkOf(url, SHOP, { id: ID, status: 'rejected' })).toBe(link);
  });

  it('is null once the client has removed the address from its list', () => {
    const url = parseReturnUrl('https://shop.example/kyc/done', SHOP);
    expect(returnLinkOf(url, ['https://shop.example/other'], { id: ID, status: 'approved' })).toBeNull();
    expect(returnLinkOf(url, [], { id: ID, status: 'approved' })).toBeNull();
  });

  it('is null for a stored text that is no URL', () => {
    expect(returnLinkOf('javascript:alert(1)', SHOP, { id: ID, status: 'approved' })).toBeNull();
  });
});
