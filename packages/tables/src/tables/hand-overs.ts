import { MAX_HAND_OVERS } from '@countersign/domain';
import type { HandOverCode } from '@countersign/domain/storage';
import { table } from '../table.ts';

/** Hand-over codes: the last one of each verification. They hold no personal data. */
export const handOverCodes = table<HandOverCode>()({
  name: 'hand_over_codes',
  called: 'hand-over code',
  key: ['clientId', 'verificationId'],
  columns: {
    clientId: { kind: 'id' },
    verificationId: { kind: 'id' },
    linkVersion: { kind: 'integer' },
    codeHash: { kind: 'text' },
    issuedAt: { kind: 'moment' },
    expiresAt: { kind: 'moment' },
    spentAt: { kind: 'moment', nullable: true },
    countedFrom: { kind: 'moment' },
    issued: { kind: 'integer', size: 'small' },
  },
  checks: {
    hand_over_codes_issued_in_range: `{issued} between 1 and ${MAX_HAND_OVERS}`,
    hand_over_codes_expires_later: '{issuedAt} < {expiresAt}',
  },
});
