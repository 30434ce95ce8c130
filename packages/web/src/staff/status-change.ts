import type { HistoryEntry, SystemReason } from '@countersign/domain';
import type { MessageKey } from '../site/messages.ts';

/** Returns the text of a change of status. A rejection is worded by how the verification ended, because nothing comes after it. */
export function statusChangeText({ status }: HistoryEntry, endedBy: SystemReason | null): MessageKey {
  switch (status) {
    case 'pending':
      return 'wording:event.verification.created';
    case 'submitted':
      return 'wording:event.verification.submitted';
    case 'action_needed':
      return 'wording:event.verification.action_requested';
    case 'approved':
      return 'wording:event.verification.approved';
    case 'rejected':
      return `wording:event.verification.${endedBy ?? 'rejected'}`;
    default:
      return status satisfies never;
  }
}
