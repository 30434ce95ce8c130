import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { givenDashboard } from '../../../test-support/dashboard.ts';
import { realDocument } from '../../../test-support/docs-site.ts';
import { curlLine } from './issued-key-page.tsx';

const KEY = `csk_${'a'.repeat(64)}`;

/** What a shell makes of the line. */
function args(line: string): string[] {
  const script = `set -- ${line}; printf '%s\\n' "$@"`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trimEnd().split('\n');
}

it('reads the list with a key that may', () => {
  for (const permission of ['*', 'verifications:read'] as const) {
    const { line, counts } = curlLine('https://verify.example/kyc', KEY, [permission]);
    expect(counts).toBe(false);
    expect(args(line)).toEqual([
      'curl',
      '-H',
      `X-API-Key: ${KEY}`,
      'https://verify.example/kyc/api/v1/verifications',
    ]);
  }
});

it('creates a verification with a key that may do no more, and says that it counts', () => {
  const { line, counts } = curlLine("https://verify.example/it's", KEY, ['verifications:create']);
  expect(counts).toBe(true);
  const words = args(line);
  expect(words).toContain("https://verify.example/it's/api/v1/verifications");
  expect(words).toContain('Content-Type: application/json');
  expect(JSON.parse(words.at(-1) ?? '')).toEqual({ subjectType: 'kyc', subjectReference: 'first-try' });
});

it('shows samples with the key on the page of a new key that may create, and on no other page', async () => {
  const { open, send } = await givenDashboard({ apiDocument: () => realDocument() });
  const fields = { name: 'Shop', expiresInDays: '30' };
  const { words } = await send('/dashboard/keys/new', { ...fields, permissions: 'verifications:create' });
  const [, value = ''] = /export KEY=(csk_[0-9a-f]{64}) /.exec(words) ?? [];
  expect(value).not.toBe('');
  expect(words).toContain('In your programming language');
  expect((await open('/dashboard')).text).not.toContain(value);
  const reading = await send('/dashboard/keys/new', { ...fields, permissions: 'verifications:read' });
  expect(reading.words).not.toContain('In your programming language');
});

it('a new key says whether it expires, and leads to the key that it replaces', async () => {
  const { send, countersign, clientId } = await givenDashboard();
  const create = (expiresInDays: string) =>
    send('/dashboard/keys/new', { name: 'Shop', permissions: '*', expiresInDays });
  const never = await create('');
  expect(never.words).toContain('It never expires.');
  expect(never.words).not.toContain('Revoke the old key');
  expect((await create('30')).words).toMatch(/It expires on 14 Feb 2026/);

  const [key] = await countersign.apiKeys.list(clientId);
  const replaced = await send(`/dashboard/keys/${key?.id}/rotate`, { expiresInDays: '' });
  expect(replaced.text).toContain(`href="/kyc/dashboard/keys/${key?.id}/revoke"`);
});
