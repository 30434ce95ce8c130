import {
  DECLINE_REASONS,
  EXPORT_CODE_ATTEMPTS,
  EXPORT_REQUESTERS,
  type ExportRequest,
} from '@countersign/domain/exports';
import { table } from '../table.ts';

/** Exports of people's data: one at most for each verification. They hold no personal data. */
export const exportRequests = table<ExportRequest>()({
  name: 'export_requests',
  called: 'export',
  key: ['clientId', 'id'],
  columns: {
    clientId: { kind: 'id' },
    id: { kind: 'id' },
    verificationId: { kind: 'id' },
    requestedAt: { kind: 'moment' },
    requestedBy: { kind: 'choice', of: EXPORT_REQUESTERS, checked: 'export_requests_known_requester' },
    releasedAt: { kind: 'moment', nullable: true },
    releasedBy: { kind: 'text', nullable: true },
    codeHash: { kind: 'text', nullable: true },
    linkVersion: { kind: 'integer' },
    expiresAt: { kind: 'moment', nullable: true },
    wrongCodes: { kind: 'integer', size: 'small' },
    downloadedAt: { kind: 'moment', nullable: true },
    // Servers of an older version write none of these.
    downloads: { kind: 'integer', size: 'small', default: 0 },
    declinedAt: { kind: 'moment', nullable: true },
    declineReason: { kind: 'choice', of: DECLINE_REASONS, nullable: true },
  },
  checks: {
    export_requests_release_whole: `({releasedAt} is null) = ({codeHash} is null) and ({releasedAt} is null) = ({expiresAt} is null)
        and ({releasedAt} is null) = ({linkVersion} = 0)
        and ({releasedAt} is not null or ({releasedBy} is null and {downloadedAt} is null and {wrongCodes} = 0))`,
    export_requests_wrong_codes_in_range: `{wrongCodes} between 0 and ${EXPORT_CODE_ATTEMPTS}`,
  },
});
