import type { TransferEntries, TransferKind, TransferTarget } from '@countersign/domain';
import { compile } from '../connection/compiled.ts';
import { columnParameters } from '../connection/parameters.ts';
import type { Session } from '../connection/session.ts';
import { toApiKeyRow } from '../rows/api-key-row.ts';
import { toAuditRow } from '../rows/audit-row.ts';
import { toClientRow, toSubscriptionRow } from '../rows/client-row.ts';
import { toEventRow } from '../rows/event-row.ts';
import { toVerificationRow } from '../rows/verification-row.ts';
import {
  apiKeys,
  auditEntries,
  clients,
  subscriptions,
  usage,
  verificationEvents,
  verifications,
} from '../schema/index.ts';

/** Each batch is one savepoint of one commit: all of it or nothing. */
export function createTransferWriter(session: Session): TransferTarget['write'] {
  const writers = createWriters(session);
  return (kind, entries) =>
    session.write(() => {
      for (const entry of entries) writers[kind](entry);
      return { keep: true, value: undefined };
    });
}

function createWriters({ db, connection }: Session): {
  readonly [K in TransferKind]: (entry: TransferEntries[K]) => void;
} {
  const client = compile(connection, db.insert(clients).values(columnParameters(clients)));
  const subscription = compile(connection, db.insert(subscriptions).values(columnParameters(subscriptions)));
  const month = compile(connection, db.insert(usage).values(columnParameters(usage)));
  const verification = compile(connection, db.insert(verifications).values(columnParameters(verifications)));
  const event = compile(connection, db.insert(verificationEvents).values(columnParameters(verificationEvents)));
  const auditEntry = compile(connection, db.insert(auditEntries).values(columnParameters(auditEntries)));
  const key = compile(connection, db.insert(apiKeys).values(columnParameters(apiKeys)));

  return {
    clients(entry) {
      client.run(toClientRow(entry.client));
      if (entry.subscription !== null) {
        subscription.run(toSubscriptionRow(entry.client.id, entry.subscription));
      }
    },
    usage: (entry) => month.run(entry),
    verifications: (record) => verification.run(toVerificationRow(record)),
    events: ({ event: happened, delivery: { availableAt, attempts, deliveredAt } }) =>
      event.run({
        ...toEventRow(happened),
        availableAt: availableAt.getTime(),
        attempts,
        deliveredAt: deliveredAt?.getTime() ?? null,
      }),
    audit: (entry) => auditEntry.run(toAuditRow(entry)),
    // Slots are given in the end, when all keys of a client are there.
    apiKeys: (entry) => key.run({ ...toApiKeyRow(entry), slot: null }),
  };
}
