import { describe, expect, it } from 'vitest';
import { endedBy } from './endings.ts';
import type { EventType } from './events.ts';

describe('endedBy', () => {
  it.each<[readonly EventType[], string | null]>([
    [['verification.created', 'verification.withdrawn'], 'withdrawn'],
    [['verification.created', 'verification.expired', 'verification.data_erased'], 'expired'],
    [['verification.created', 'verification.submitted', 'verification.rejected'], null],
    [['verification.created'], null],
  ])('events %j: ended by %s', (types, expected) => {
    expect(endedBy(types.map((type) => ({ type })))).toBe(expected);
  });
});
