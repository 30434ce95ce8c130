import { describe, expect, it } from 'vitest';
import { faultsIn, nothingAcknowledged, type Query } from './acknowledged.ts';

type Row = Record<string, unknown>;

/** A database with one approved verification and two keys, one of them revoked. */
const STORED = {
  verifications: [{ id: 'v1', status: 'approved', current_step: 6, version: 8 }],
  api_keys: [
    { name: 'active', revoked_at: null },
    { name: 'revoked', revoked_at: 1 },
  ],
  verification_events: [{ verification_id: 'v1', version: 8, status: 'approved' }],
  usage: [{ used: 1 }],
  verification_counts: [{ approved: 1 }],
  audit_entries: [{ target_id: 'v1' }],
} satisfies Record<string, Row[]>;

function query(tables: Partial<Record<keyof typeof STORED, Row[]>> = {}): Query {
  const all: Record<string, Row[]> = { ...STORED, ...tables };
  return async (sql) => all[/FROM (\w+)/.exec(sql)?.[1] ?? ''] ?? [];
}

function allAcknowledged() {
  const acknowledged = nothingAcknowledged();
  acknowledged.created.set('subject 1', 'v1');
  acknowledged.completedSteps.set('v1', 5);
  acknowledged.submitted.add('v1');
  acknowledged.approved.add('v1');
  acknowledged.keys.set('active', 'csk_');
  acknowledged.revoked.add('revoked');
  return acknowledged;
}

describe('the search for lost and incomplete changes', () => {
  it('finds nothing in a database with all acknowledged changes', async () => {
    expect(await faultsIn(query(), allAcknowledged())).toEqual([]);
  });

  it.each<[fault: string, tables: Parameters<typeof query>[0]]>([
    ['a lost verification', { verifications: [], verification_events: [], usage: [{ used: 0 }] }],
    ['a lost step', { verifications: [{ ...STORED.verifications[0], current_step: 4 }] }],
    [
      'a lost decision',
      {
        verifications: [{ ...STORED.verifications[0], status: 'submitted' }],
        verification_events: [{ verification_id: 'v1', version: 7, status: 'submitted' }],
      },
    ],
    ['a lost key', { api_keys: [{ name: 'revoked', revoked_at: 1 }] }],
    ['a lost revocation', { api_keys: STORED.api_keys.map((key) => ({ ...key, revoked_at: null })) }],
    ['a change without its event', { verification_events: [] }],
    [
      'an event without its change',
      { verification_events: [{ verification_id: 'v1', version: 9, status: 'approved' }] },
    ],
    [
      'an event without a verification',
      {
        verification_events: [
          ...STORED.verification_events,
          { verification_id: 'v2', version: 1, status: 'pending' },
        ],
      },
    ],
    ['a creation that is not charged', { usage: [{ used: 0 }] }],
    ['a decision that is not counted', { verification_counts: [{ submitted: 1 }] }],
    ['a count without a verification', { verification_counts: [{ approved: 1, pending: 1 }] }],
    ['a decision without an audit entry', { audit_entries: [] }],
  ])('finds %s', async (_fault, tables) => {
    expect(await faultsIn(query(tables), allAcknowledged())).not.toEqual([]);
  });
});
