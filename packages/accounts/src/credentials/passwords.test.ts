import { expect, it } from 'vitest';
import { createPasswords } from './passwords.ts';

it('passwords: a salted hash matches only the same password, in any Unicode form', async () => {
  const { hash, verify } = createPasswords();
  const [one, other] = await Promise.all([hash('violet anchor é'), hash('violet anchor é')]);
  expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(one).not.toBe(other);
  expect(await verify({ hash: one, password: 'violet anchor e\u0301' })).toBe(true);
  expect(await verify({ hash: one, password: 'violet anchor e' })).toBe(false);
});

it.each(['', ':', 'salt', 'salt:', 'salt:00ff', `salt:${'00'.repeat(65)}`, `salt:${'no'.repeat(64)}`])(
  'passwords: the malformed hash %j matches no password',
  async (hash) => {
    expect(await createPasswords().verify({ hash, password: '' })).toBe(false);
  },
);
