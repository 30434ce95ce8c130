import { expect, test } from 'vitest';
import {
  ATTEMPT_COPY,
  CLIENT_RETENTION_COPY,
  copyRows,
  DELIVERY_COPY,
  ERASURE_LOG_COPY,
  EVENT_COPY,
} from './copies.ts';

/** Rows that show what they are made of. Each column holds its name. */
const ROWS = {
  toRow: (entry: unknown, given?: object) => ({ entry, given }),
  toColumns: () => ({}),
  fromRow: (row: object) => row,
  read: (_: object, field: never) => field,
};

const OF_CLIENT = { clientId: 'clientId' };
const OF_DELIVERY = { ...OF_CLIENT, endpointId: 'endpointId', eventId: 'eventId' };

test.each([
  ['another entry', undefined, { a: 1 }, { entry: { a: 1 } }, { a: 1 }],
  [
    'the retention of a client, whose verifications are planned again',
    CLIENT_RETENTION_COPY,
    { ...OF_CLIENT, policy: null },
    { entry: { ...OF_CLIENT, policy: null, plannedBy: null, plannedAfter: null } },
    { ...OF_CLIENT, policy: null, plannedBy: 'run', plannedAfter: 'id' },
  ],
  ['the erasure log', ERASURE_LOG_COPY, { id: 'log' }, { entry: { logId: 'log' } }, { logId: 'log' }],
  [
    'a delivery',
    DELIVERY_COPY,
    { ...OF_CLIENT, eventId: 'event' },
    { entry: { ...OF_CLIENT, eventId: 'event' }, given: OF_CLIENT },
    { eventId: 'event' },
  ],
  [
    'an attempt',
    ATTEMPT_COPY,
    { ...OF_DELIVERY, id: 'one' },
    { entry: { ...OF_DELIVERY, id: 'one' }, given: OF_DELIVERY },
    { id: 'one' },
  ],
  [
    'an event',
    EVENT_COPY,
    { event: { id: 'one' }, unsent: 'unsent' },
    { entry: { id: 'one' }, given: { unsent: 'unsent' } },
    { id: 'one' },
  ],
])('copyRows: %s becomes a row of its table and back', (_, conversion, copied, row, stored) => {
  const { toRow, fromRow } = copyRows(ROWS, conversion as never);
  expect(toRow(copied)).toEqual(row);
  expect(fromRow(stored)).toEqual(copied);
});
