import type { ChainFault } from '@countersign/domain';

const WHY = {
  gap: 'the entry before it is missing',
  wrong_hash: 'its content was changed',
  wrong_previous_hash: 'it does not follow the entry before it',
  unreadable: 'it cannot be read',
} as const;

/** Says where the audit log is broken, and why. */
export function brokenText({ sequence, reason }: ChainFault): string {
  return `The audit log is BROKEN at entry ${sequence}: ${WHY[reason]}`;
}
