import { expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import type { AuditLog } from './audit-log.ts';
import { createVerifyAudit } from './verify-audit.ts';

test('a log of which no line can be read is unreadable from the first', async () => {
  const audit = portWith<AuditLog>({ read: () => Promise.reject(new Error('a damaged page')) });
  const secrets = {
    sha256: () => '',
    randomHex: () => '',
    randomBase64: () => '',
    sign: () => '',
    verify: () => false,
    label: () => '',
  };
  const findings = await createVerifyAudit({
    audit,
    secrets,
    verifyErasures: async () => ({ outcome: 'intact' }),
  })();
  expect(findings).toEqual({ outcome: 'broken', sequence: 1, reason: 'unreadable' });
});
