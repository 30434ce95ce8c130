import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { change } from '@countersign/test-support/installation/database-file';
import { describe, expect, test } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const operator = operatorOfEachTest();
const { json, run } = operator;

describe('migrate', () => {
  test('creates the database, and applies nothing the second time', async () => {
    const file = join(operator.dataDir, 'countersign.db');
    expect(await json('migrate')).toEqual({
      database: file,
      applied: [
        '0000_initial-schema',
        '0001_verification-counts',
        '0002_list-groups',
        '0003_client-names',
        '0004_list-steps',
        '0005_claims',
        '0006_subject-groups',
        '0007_expired-events',
        '0008_webhooks',
        '0009_return-addresses',
        '0010_retention',
        '0011_retention-tables',
        '0012_webhook-secrets',
        '0013_export-requests',
        '0014_audit-actors',
        '0015_uncleared-erasures',
        '0016_replaced-uploads',
        '0017_erasure-log-id',
        '0018_unfinished-erasures',
        '0019_declined-exports',
        '0020_mails',
        '0021_file-access',
        '0022_client-faces',
        '0023_link-mails',
        '0024_test-twins',
        '0025_key-notices',
        '0026_sandboxes-to-test-twins',
        '0027_audit-times',
        '0028_key-networks',
        '0029_mail-budgets',
        '0030_wrapping-keys',
        '0031_fresh-mails',
        '0000_accounts',
        '0001_expand-user-locale',
        '0002_expand-second-factor-time',
        '0003_expand-identities',
        '0004_expand-password-allowed',
        '0005_expand-passkeys',
        '0006_expand-session-identities',
        '0007_expand-ended-mark',
        '0008_expand-unverified-emails',
        '0009_expand-withheld-invitations',
      ],
    });
    expect(await json('migrate')).toEqual({ database: file, applied: [] });
  });

  test.each([
    ['migrate', ['migrate']],
    ['client list', ['client', 'list']],
  ])('%s: refuses the database of a newer version with one line, and leaves it unchanged', async (_, command) => {
    const file = join(operator.dataDir, 'countersign.db');
    await json('migrate');
    change(file, 'INSERT INTO countersign_migrations (hash, created_at) VALUES (?, ?)', 'x', Date.UTC(2100, 0));
    const before = readFileSync(file);
    expect(await run(...command)).toEqual({
      exitCode: 1,
      out: '',
      err: expect.stringMatching(/^countersign: [^\n]*written by a newer version[^\n]*\n$/),
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('clear-erased-space', () => {
  test('clear-erased-space does nothing without an erasure', async () => {
    await json('migrate');
    const database = join(operator.dataDir, 'countersign.db');
    expect(await json('clear-erased-space')).toEqual({ database, outcome: 'nothing_to_clear' });
  });

  test('clears the file after an erasure, and doctor counts none afterwards', async () => {
    await json('migrate');
    change(join(operator.dataDir, 'countersign.db'), 'INSERT INTO uncleared_erasures VALUES (1, 0)');
    const uncleared = async () => {
      const { database } = JSON.parse((await run('doctor', '--json')).out) as DoctorReport;
      return database?.kind === 'sqlite' ? database.uncleared.erasures : null;
    };
    expect(await uncleared()).toBe(1);

    const { exitCode, out } = await run('clear-erased-space');

    expect([exitCode, out]).toEqual([0, expect.stringContaining(': cleared (erasures: 1) in ')]);
    expect(await uncleared()).toBe(0);
  });
});
