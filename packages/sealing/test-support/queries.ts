import type { BrowseQuery, QueueQuery, VerificationQuery } from '@countersign/domain';

/** A client's verifications, all of them. */
export const LIST: VerificationQuery = {
  status: undefined,
  type: undefined,
  subjectReference: undefined,
  sortBy: 'requestedAt',
  sortOrder: 'asc',
  offset: 0,
  limit: 100,
};

/** Everybody's that are pending. */
export const QUEUE: QueueQuery = {
  status: 'pending',
  type: undefined,
  clientId: undefined,
  claimedBy: undefined,
  offset: 0,
  limit: 100,
};

/** What a client's staff looks through, all of it. */
export const BROWSE: BrowseQuery = {
  status: undefined,
  type: undefined,
  subjectReferencePrefix: undefined,
  requestedFrom: undefined,
  requestedUntil: undefined,
  after: undefined,
  limit: 100,
};
