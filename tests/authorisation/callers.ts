import type { KeyName, SubjectName } from './world.ts';

/** Who asks. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly withSecondFactor: boolean;
      readonly isConfirmed: boolean;
    }
  | { readonly kind: 'key'; readonly name: KeyName | 'unknown' }
  | { readonly kind: 'subject'; readonly name: SubjectName };

const user = (id: string, options: { withSecondFactor?: boolean; isConfirmed?: boolean } = {}): Caller => {
  return { kind: 'user', id, withSecondFactor: true, isConfirmed: true, ...options };
};

export const CALLERS: Readonly<Record<string, Caller>> = {
  anonymous: { kind: 'anonymous' },
  owner: user('owner'),
  'owner, password not confirmed': user('owner', { isConfirmed: false }),
  agent: user('agent'),
  viewer: user('viewer'),
  'owner of another client': user('foreign'),
  reviewer: user('reviewer'),
  'reviewer without a second factor': user('reviewer', { withSecondFactor: false }),
  operator: user('operator'),
  'operator, password not confirmed': user('operator', { isConfirmed: false }),
  'operator without a second factor': user('operator', { withSecondFactor: false }),
  subject: { kind: 'subject', name: 'current' },
  'subject with an expired link': { kind: 'subject', name: 'expired' },
  'subject of another verification': { kind: 'subject', name: 'foreign' },
  'key to create': { kind: 'key', name: 'create' },
  'key to read': { kind: 'key', name: 'read' },
  'key to everything': { kind: 'key', name: 'all' },
  'revoked key': { kind: 'key', name: 'revoked' },
  'expired key': { kind: 'key', name: 'expired' },
  'unknown key': { kind: 'key', name: 'unknown' },
  'key of another client': { kind: 'key', name: 'other client' },
  'key without a subscription': { kind: 'key', name: 'no subscription' },
};
