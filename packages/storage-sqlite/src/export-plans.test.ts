import type { ExportRepository } from '@countersign/domain/storage';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase } from '../test-support/given-database.ts';
import { planOf } from '../test-support/plan-of.ts';
import { CLIENT } from '../test-support/records.ts';
import { createExportRepository } from './repositories/export-repository.ts';

const NOW = new Date('2026-03-11T00:00:00Z');
const RELEASE = { id: 'export-1', linkVersion: 1 };
const PLACE = { clientId: CLIENT.id, verificationId: 'verification-1' };

it.each<[string, (exports: ExportRepository) => Promise<unknown>, string]>([
  ['the export of a link', (exports) => exports.find('export-1'), 'export_requests_id (id=?)'],
  [
    'that of a verification',
    (exports) => exports.ofVerification(PLACE),
    'export_requests_verification (verification_id=?)',
  ],
  ['a wrong code', (exports) => exports.countWrongCode(RELEASE), 'export_requests_id (id=?)'],
  ['a download', (exports) => exports.markDownloaded(RELEASE, NOW), 'export_requests_id (id=?)'],
  [
    'a refusal',
    (exports) => exports.decline({ id: 'export-1', clientId: CLIENT.id, declinedAt: NOW, declineReason: 'other' }),
    'export_requests_id (id=?)',
  ],
  ['a release that ends', (exports) => exports.end(RELEASE, NOW), 'export_requests_id (id=?)'],
  ['every open release', (exports) => exports.endAll(NOW), 'export_requests_expiry (expires_at>?)'],
  [
    'a page of all clients',
    (exports) => exports.list({ waiting: false, after: 'a', limit: 9 }),
    'export_requests_id (id<?)',
  ],
  [
    'a page of a client',
    (exports) => exports.list({ clientId: CLIENT.id, waiting: true, after: 'a', limit: 9 }),
    '(client_id=? AND id<?)',
  ],
])('exports: %s is found by its index, without sorting', async (_, use, index) => {
  const file = await givenDatabase(onTestFinished, { verifications: 3 });
  const plan = await planOf(onTestFinished, file, (session) => use(createExportRepository(session)));

  expect(plan.join('\n')).toContain(index);
  expect(plan.join('\n')).not.toMatch(/^SCAN|TEMP B-TREE/m);
});
