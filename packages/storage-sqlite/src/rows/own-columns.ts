import type { VerificationEvent } from '@countersign/domain';
import type { Client } from '@countersign/domain/clients';
import { clientNameKey } from '@countersign/domain/storage';
import { isSent } from '@countersign/domain/webhooks';
import * as tables from '@countersign/tables';

/** The limit of endpoints is a constraint: each has one of the slots, each at most once a client. */
export const webhookEndpoints = tables.withColumns(tables.webhookEndpoints, 'id', {
  slot: { kind: 'integer', value: 0 },
});

export const clients = tables.withColumns(tables.clients, 'sandbox', {
  nameKey: { kind: 'text', default: '', value: ({ name }: Client) => clientNameKey(name) },
});

export const verifications = tables.withColumns(tables.verifications, 'notify', {
  /** Id and time of the mail with the link, until `lease` moves it to `mails`: a row of its own would be one more page for each creation to write. */
  linkMailId: { kind: 'text', nullable: true, value: null },
  linkMailAt: { kind: 'moment', nullable: true, value: null },
});

export const verificationEvents = tables.withColumns(tables.verificationEvents, 'data', {
  /** This column and the three after it are left from version 0.2.0 and unused: dropping them would rewrite the table. */
  availableAt: { kind: 'moment', value: ({ at }: VerificationEvent) => at },
  leaseToken: { kind: 'text', nullable: true, value: null },
  attempts: { kind: 'integer', value: 0 },
  deliveredAt: { kind: 'moment', nullable: true, value: null },
  /** Set until `fanOut` takes the event; null afterwards, and for events that are not sent. */
  unsent: { kind: 'mark', value: isSent },
});
