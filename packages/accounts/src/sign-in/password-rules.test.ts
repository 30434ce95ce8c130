import { expect, it } from 'vitest';
import { passwordRefusal } from './passwords.ts';

const ANN = ['ann.miller@example.com', 'Ann Miller', 'Countersign'];

it.each([
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
])('%j is refused as %s', async (password, reason) => {
  expect(await passwordRefusal(password, ANN)).toBe(reason);
});

it.each([
  'violet anchor 7 gravel',
  'fT9x-Lq2v_Zr8',
  'Regenschirm über Lissabon',
  'пароль не такой простой',
  'k'.repeat(3) + 'J8#pq!0zWm'.repeat(12),
])('%j is taken', async (password) => {
  expect(await passwordRefusal(password, ANN)).toBeNull();
});

it('password rules: any input is checked quickly', async () => {
  await passwordRefusal('violet anchor 7 gravel', ANN);
  const begin = process.cpuUsage();
  await passwordRefusal('aB1@'.repeat(32), ANN);
  await passwordRefusal('x'.repeat(1_000_000), ANN);
  expect(millisecondsSince(begin)).toBeLessThan(1_000);
});

it('password rules: input made to be hard to estimate is checked quickly', async () => {
  await passwordRefusal('violet anchor 7 gravel', ANN);
  const begin = process.cpuUsage();
  await passwordRefusal('abcdefg7654321'.repeat(9), ANN);
  expect(millisecondsSince(begin)).toBeLessThan(1_500);
});

/** Processor time, which does not depend on how busy the machine is. */
function millisecondsSince(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
}
