import type { VerificationEvent } from '@countersign/domain';
import type {
  Attempt,
  ClientRetention,
  DeliveryEntry,
  TransferEntries,
  TransferKind,
} from '@countersign/domain/storage';
import type { Rows } from './rows.ts';

/** How entries of a copy are converted to entries of a table, where they differ. */
export interface CopyConversion<Copied, Stored> {
  toStored(copied: Copied): Stored;
  /** Values of columns that are no fields of the table's entry. */
  given?(copied: Copied): Readonly<Record<string, unknown>>;
  /** @param read reads a column of the row */
  toCopied(stored: Stored, read: (field: string) => unknown): Copied;
}

type Conversion<K extends TransferKind, Stored> = CopyConversion<TransferEntries[K], Stored>;

/** The progress of planning a client's verifications is not copied: the copy replans them. */
export const CLIENT_RETENTION_COPY: Conversion<'clientRetention', ClientRetention> = {
  toStored: (copied) => ({ ...copied, plannedBy: null, plannedAfter: null }),
  toCopied: ({ clientId, policy }) => ({ clientId, policy }),
};

/** A copy names the id of the erasure log `id`. */
export const ERASURE_LOG_COPY: Conversion<'erasureLogs', { readonly logId: string }> = {
  toStored: ({ id }) => ({ logId: id }),
  toCopied: ({ logId }) => ({ id: logId }),
};

/** A delivery in a copy names its client, which the table has in a column of its own. */
export const DELIVERY_COPY: Conversion<'webhookDeliveries', DeliveryEntry> = {
  toStored: (copied) => copied,
  given: ({ clientId }) => ({ clientId }),
  toCopied: (stored, read) => ({ clientId: read('clientId') as string, ...stored }),
};

/** An attempt in a copy names its delivery, by client, endpoint and event. */
export const ATTEMPT_COPY: Conversion<'webhookAttempts', Attempt> = {
  toStored: (copied) => copied,
  given: ({ clientId, endpointId, eventId }) => ({ clientId, endpointId, eventId }),
  toCopied: (stored, read) => ({
    clientId: read('clientId') as string,
    endpointId: read('endpointId') as string,
    eventId: read('eventId') as string,
    ...stored,
  }),
};

/** An event in a copy says whether it is unsent: no delivery was made of it yet. */
export const EVENT_COPY: Conversion<'events', VerificationEvent> = {
  toStored: ({ event }) => event,
  given: ({ unsent }) => ({ unsent }),
  toCopied: (event, read) => ({ event, unsent: read('unsent') as boolean }),
};

/** Returns functions that convert entries of a copy to rows of a table and back. */
export function copyRows<Stored, C, Row, Copied = Stored>(
  { toRow, fromRow, read }: Rows<Stored, C, Row>,
  conversion?: CopyConversion<Copied, Stored>,
): { toRow(entry: Copied): Row; fromRow(row: object): Copied } {
  const { toStored, given, toCopied } = conversion ?? (SAME as unknown as CopyConversion<Copied, Stored>);
  return {
    toRow: (entry) => toRow(toStored(entry), given?.(entry) as Parameters<typeof toRow>[1]),
    fromRow: (row) => toCopied(fromRow(row), (field) => read(row, field as keyof C & string)),
  };
}

const SAME: CopyConversion<unknown, unknown> = { toStored: (entry) => entry, toCopied: (entry) => entry };
