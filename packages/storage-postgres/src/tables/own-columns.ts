import type { AuditEntry, VerificationEvent } from '@countersign/domain';
import { isSent } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';

/** The limit of endpoints is a constraint: each has one of the slots, each at most once a client. A copy assigns them at its end. */
const withSlots = tables.withColumns(tables.webhookEndpoints, 'failingSince', {
  slot: { kind: 'integer', size: 'small', nullable: true, value: null },
});

export const webhookEndpoints = tables.withColumns(withSlots, 'dueAt', {
  /** Number of times that deliveries were added. A release that has not seen the last ones leaves `due_at` as it is. */
  wakes: { kind: 'integer', size: 'big', default: 0, value: 0 },
});

export const auditEntries = tables.withColumns(tables.auditEntries, 'detail', {
  /** Null for the first entry. */
  previousSequence: {
    kind: 'integer',
    size: 'big',
    nullable: true,
    value: ({ sequence }: AuditEntry) => (sequence === 1 ? null : sequence - 1),
  },
});

export const verificationEvents = tables.withColumns(tables.verificationEvents, 'data', {
  /** This column and the three after it are for servers of version 0.2.0, which may serve beside this one. Nothing reads them. */
  availableAt: { kind: 'moment', nullable: true, value: ({ at }: VerificationEvent) => at },
  leaseToken: { kind: 'text', nullable: true, value: null },
  attempts: { kind: 'integer', nullable: true, value: 0 },
  deliveredAt: { kind: 'moment', nullable: true, value: null },
  /**
   * Whether it still has to be fanned out to the endpoints of its client; null if not. The default counts the events of
   * version 0.2.0, which may serve beside this one.
   */
  unsent: { kind: 'mark', default: true, value: isSent },
});
