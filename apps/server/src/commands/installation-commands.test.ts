import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operatorOfEachTest } from '../../test-support/operator.ts';

const operator = operatorOfEachTest();
const { json } = operator;

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
        '0000_accounts',
      ],
    });
    expect(await json('migrate')).toEqual({ database: file, applied: [] });
  });
});
