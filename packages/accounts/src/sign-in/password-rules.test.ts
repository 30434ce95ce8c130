// Estimates passwords as long as the limit in a thread.
import { expect, it } from 'vitest';
import { passwordRefusal } from '../credentials/passwords.ts';

const ANN = ['ann.miller@example.com', 'Ann Miller', 'Countersign', 'Acme Shop'];

it.each<[password: string, reason: string]>([
  ['short', 'too_short'],
  ['eleven char', 'too_short'],
  // Characters, not bytes or units of UTF-16.
  ['🔐'.repeat(11), 'too_short'],
  ['x'.repeat(129), 'too_long'],
  ['password1234', 'too_common'],
  ['Password123!', 'too_common'],
  ['qwertyuiop12', 'too_common'],
  ['aaaaaaaaaaaaaaaa', 'too_common'],
  ['123456789012', 'too_common'],
  ['iloveyouiloveyou', 'too_common'],
  ['countersign1', 'too_common'],
  ['Ann Miller 12', 'too_common'],
  ['ann.miller@example.com', 'too_common'],
  // Found in English and German dictionaries.
  ['Schmetterling1', 'too_common'],
  ['Krankenhaus12', 'too_common'],
  ['Straßenbahn12', 'too_common'],
  ['geheimespasswort', 'too_common'],
  ['donaudampfschiff', 'too_common'],
  ['Weihnachten2023', 'too_common'],
  ['washington dc 1', 'too_common'],
  ['Summertime2024', 'too_common'],
  // A word, a year and a mark.
  ...[
    'Passwort2026!',
    'Summer2026!!',
    'Winter2026!!',
    'Weihnachten2026!',
    'Januar2026!!',
    'Samstag2026!',
    'München2026!!',
    'Frühling2026!!',
    'Sommerurlaub2026',
    'Geburtstag1985!',
    '!2026Passwort!',
    '$$Summer$$2026$$',
    '2026!Sommer!2026',
    'Frühling24.12.2026',
    // Two or three words.
    // cspell:ignore ichliebedich gutenmorgen horsebatterystaple acmeshop correcthorsebatterystaple coppermarblesunsetkettle
    'ichliebedich1',
    'gutenmorgen2026',
    'Schalke04Schalke',
    'horsebatterystaple',
    // The name of the client.
    'Acme2026Acme!',
    'Acme Shop 2026!',
    'acmeshop12345',
    // A repeat adds nothing to the part that is repeated, and neither does its beginning at the end.
    'correcthorsebatterystaple'.repeat(5),
    'horsebatterystaple'.repeat(3),
    'Summer2026!'.repeat(11),
    'Ann Miller '.repeat(11),
    'Summer2026!summer2026!SUMMER2026!',
    'Sommerurlaub2026 - Sommerurlaub2026 - Sommer',
    `${'gutenmorgen'.repeat(2)}X`.repeat(2),
    // Published as an example.
    'correcthorsebatterystaple',
    'Correct Horse Battery Staple 1',
  ].map((password): [string, string] => [password, 'too_common']),
])('%j is refused as %s', async (password, reason) => {
  expect(await passwordRefusal(password, ANN)).toBe(reason);
});

it.each([
  'violet anchor 7 gravel',
  'fT9x-Lq2v_Zr8',
  'Regenschirm über Lissabon',
  'пароль не такой простой',
  // Four words.
  'copper kettle marble sunset',
  'tisch lampe himmel brot',
  'HausBaumAutoHund1',
  'under the old bridge',
  // Random characters of any kind.
  '837465019283',
  'a7f3c9e1b2d4',
  'k'.repeat(3) + 'J8#pq!0zWm'.repeat(12),
  'fT9x-Lq2v_Zr8'.repeat(2),
  'coppermarblesunsetkettle'.repeat(2),
])('%j is taken', async (password) => {
  expect(await passwordRefusal(password, ANN)).toBeNull();
});

// cspell:ignore marblemapleng
it('password rules: a word of a name is expected in a password if it has more than two letters', async () => {
  expect(await passwordRefusal('marblemapleng', ['Kim Ng'])).toBeNull();
  expect(await passwordRefusal('marblemapleng', ['Maple Ng'])).toBe('too_common');
});

it('password rules: a password that takes long to estimate does not block other work', async () => {
  const hard = ['aB1@'.repeat(32), 'abcdefg7654321'.repeat(9), 'x'.repeat(1_000_000), '\ud800'.repeat(20)];
  const before = process.threadCpuUsage();
  const refusals = await Promise.all(hard.map((password) => passwordRefusal(password, ANN)));
  expect(refusals).toEqual(['too_common', 'too_common', 'too_long', 'too_common']);
  const { user, system } = process.threadCpuUsage(before);
  // Processor time of this thread, in microseconds. The estimates take a second.
  expect(user + system).toBeLessThan(200_000);
});
