import { describe, expect, it } from 'vitest';
import { parseWebhookUrl, WEBHOOK_URL_MAX } from './webhook-url.ts';

const parse = (url: string, allowsHttp = false) => parseWebhookUrl(url, { allowsHttp });

describe('parseWebhookUrl', () => {
  it.each([
    ['https://shop.example/hooks', 'https://shop.example/hooks'],
    [' https://Shop.EXAMPLE:443 ', 'https://shop.example/'],
    ['https://shop.example:8443/a%2Fb?token=x%20y&z', 'https://shop.example:8443/a%2Fb?token=x%20y&z'],
    ['https://xn--mnchen-3ya.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://receiver/hooks', 'https://receiver/hooks'],
    ['https://203.0.113.7/hooks', 'https://203.0.113.7/hooks'],
    ['https://[2001:DB8::7]:8443/hooks', 'https://[2001:db8::7]:8443/hooks'],
  ])('accepts %s', (url, kept) => {
    expect(parse(url)).toBe(kept);
    expect(new URL(kept).href).toBe(kept);
  });

  it.each([
    ['a relative URL', '/hooks', 'must be a URL that begins with https://'],
    ['another scheme', 'ftp://shop.example/', 'must be a URL that begins with https://'],
    ['a script', 'javascript:alert(1)', 'must be a URL that begins with https://'],
    ['http', 'http://shop.example/', 'must begin with https://'],
    ['user info', 'https://user:secret@shop.example/', 'no user name or password'],
    ['a fragment', 'https://shop.example/#part', 'no fragment'],
    ['a line break', 'https://shop.example/a\nb', 'only the characters of a URL'],
    ['a tab in the host', 'https://shop\t.example/', 'a host name in ASCII or an IP address'],
    ['an encoded control character', 'https://shop.example/%0d%0aX: y', 'only the characters of a URL'],
    ['an encoded line break', 'https://shop.example/%0d%0a', 'no control characters'],
    ['a backslash', 'https://shop.example\\@inside/', 'no user name or password'],
    ['a host in another script', 'https://münchen.example/', 'a host name in ASCII or an IP address'],
    ['a number as a host', 'https://2130706433/', 'a host name in ASCII or an IP address'],
    ['a hexadecimal host', 'https://0x7f.0.0.1/', 'a host name in ASCII or an IP address'],
    ['an octal host', 'https://0177.0.0.1/', 'a host name in ASCII or an IP address'],
    ['a short IPv4 address', 'https://127.1/', 'a host name in ASCII or an IP address'],
    ['a broken IPv6 address', 'https://[::::]/', 'a host name in ASCII or an IP address'],
    ['an IPv6 address with a zone', 'https://[fe80::1%25eth0]/', 'a host name in ASCII or an IP address'],
    ['a port that does not exist', 'https://shop.example:65536/', 'a host name in ASCII or an IP address'],
    ['an empty host', 'https:///hooks', 'must be a URL'],
    ['too many characters', `https://shop.example/${'a'.repeat(WEBHOOK_URL_MAX)}`, `at most ${WEBHOOK_URL_MAX}`],
  ])('refuses %s', (_what, url, message) => {
    expect(parse(url)).toMatchObject({ message: expect.stringContaining(message) });
  });

  it('accepts http where the installation allows it', () => {
    expect(parse('http://127.0.0.1:9000/hooks', true)).toBe('http://127.0.0.1:9000/hooks');
  });
});
