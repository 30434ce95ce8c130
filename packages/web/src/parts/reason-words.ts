import { isSystemReason, type ReasonCode } from '@countersign/domain';
import type { Translate } from '../site/messages.ts';

/** Says to a subject why something is asked for again. Hides a suspicion; reasons of the service ask for nothing, so they have no text either. */
export function reasonForSubject(code: ReasonCode, t: Translate): string {
  return t(`verify:reasons.${code === 'suspected_fraud' || isSystemReason(code) ? 'other' : code}`);
}
