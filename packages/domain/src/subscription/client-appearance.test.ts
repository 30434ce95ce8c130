import { describe, expect, it } from 'vitest';
import {
  type AppearanceInput,
  acceptedDetails,
  appearanceDetailsOf,
  appearanceIssues,
  contactLink,
  DISPLAY_NAME_MAX,
} from './client-appearance.ts';

const codesOf = (input: AppearanceInput) => appearanceIssues(input).map(({ path, code }) => `${path} ${code}`);

describe('a display name', () => {
  it.each([
    'Acme',
    'Zoë & Söhne GmbH & Co. KG',
    'Müller, Meier + Partner',
    'A.B. Miller Inc.',
    'Dr. Oetker',
    'Berg A/S',
    '株式会社みずほ',
    'شركة النور',
    'می‌خواهم',
    'Team 👩‍💻',
    'We ❤\ufe0f Art',
    'No. 1',
    '3.5 Capital',
    'Version 1.2.3',
  ])('%s is accepted', (displayName) => {
    expect(codesOf({ displayName })).toEqual([]);
  });

  it.each([
    'https://evil.example',
    'Acme http://a',
    'www.acme',
    'Acme (www.evil.example)',
    'evil.example',
    'Acme evil.com now',
    'Booking.com',
    'pay@evil.example',
    'Ada @ Acme',
    'evil\uff0eexample',
    'evil。example',
    'evil\u200d.example',
    'evil.\u200cexample',
    'evil\ufe0f.example',
    'evil.d\ufe0fe',
    'bücher.de',
    'evil\u0332.example',
    'evil.d\u0332e',
    'evil.\u0332example',
    'пример.рф',
    '192.168.0.1',
    'HTTPS://X',
    'javascript://x',
  ])('%j contains an address', (displayName) => {
    expect(codesOf({ displayName })).toEqual(['displayName address_in_name']);
  });

  it.each([
    ['reverses text', 'Acme\u202Egnp.exe'],
    ['isolates text', 'Acme\u2066x'],
    ['has a direction mark', 'Acme\u200F'],
    ['has an Arabic direction mark', 'Acme\u061C'],
    ['has a zero-width space', 'evil\u200B.example'],
    ['has a word joiner', 'Acme\u2060'],
    ['has a soft hyphen', 'Ac\u00ADme'],
    ['has a line separator', 'Acme\u2028Pay'],
    ['has a tag', 'Acme\u{E0041}'],
    ['has a character for private use', 'Acme\uE000'],
    ['has a grapheme joiner', 'evil\u034F.example'],
    ['has a variation selector', 'Acme\u{E0100}'],
    ['is a filler', '\u3164'],
    ['shows nothing', '…'],
    ['has only joiners', '\u200D'],
  ])('a display name that %s is not plain text', (_, displayName) => {
    expect(codesOf({ displayName })).toEqual(['displayName not_plain_text']);
  });
});

describe('an address for support or privacy', () => {
  it.each([
    'help@shop.example',
    "o'neil+kyc@shop.example",
    'https://shop.example/help?topic=kyc',
    'HTTPS://Shop.example',
    '',
  ])('%j is accepted', (supportAddress) => {
    expect(codesOf({ supportAddress, privacyAddress: supportAddress })).toEqual([]);
  });

  it.each([
    'http://shop.example',
    'https://localhost/help',
    'https://127.0.0.1/',
    'https://ada@shop.example/',
    'https://shop.example/#help',
    'javascript:alert(1)',
    'mailto:help@shop.example',
    'a@shop.example, b@shop.example',
    'Help <help@shop.example>',
    'help@shop.example\r\nBcc: eve@evil.example',
    'help',
    '+49 30 123456',
  ])('%j is refused', (privacyAddress) => {
    expect(codesOf({ privacyAddress })).toEqual(['privacyAddress not_a_contact']);
  });
});

it('a colour has six or three hexadecimal digits', () => {
  for (const colour of ['#1D4F91', '1d4f91', ' #fff ', 'ABC']) expect(codesOf({ colour })).toEqual([]);
  for (const colour of ['#12', '#1234567', 'red', 'rgb(1,2,3)', '#gggggg', '#ffffff;}']) {
    expect(codesOf({ colour })).toEqual(['colour not_a_colour']);
  }
  expect(appearanceDetailsOf({ colour: 'ABC' }).colour).toBe('#aabbcc');
});

it('details that are left out are not set', () => {
  expect(appearanceDetailsOf({ displayName: 'A'.repeat(DISPLAY_NAME_MAX) })).toEqual({
    displayName: 'A'.repeat(DISPLAY_NAME_MAX),
    colour: null,
    supportAddress: null,
    privacyAddress: null,
  });
});

it('appearanceIssues: a value that is no object has no issues of its own', () => {
  for (const input of [null, undefined]) expect(appearanceIssues(input)).toEqual([]);
});

it('acceptedDetails: a value that would be refused is not set', () => {
  const typed = { displayName: ' Acme ', colour: '#FFF', supportAddress: 'help', privacyAddress: '' };
  expect(acceptedDetails(typed)).toEqual({
    displayName: 'Acme',
    colour: '#ffffff',
    supportAddress: null,
    privacyAddress: null,
  });
});

it.each([
  ['help@shop.example', 'mailto:help@shop.example'],
  ['https://shop.example/help', 'https://shop.example/help'],
])('the link of %s leads to %s', (text, href) => {
  expect(contactLink(text)).toEqual({ text, href });
});
