import { describe, expect, it } from 'vitest';
import { isCountersignError } from '../errors.ts';
import {
  DEFAULT_RETENTION,
  DEFAULT_RETENTION_FLOOR,
  floorOf,
  parseRetentionPolicy,
  RETENTION_PERIODS,
  type RetentionFloor,
} from './policy.ts';

/** Each issue of a refused policy as one text. */
function issuesOf(input: unknown, floor: RetentionFloor = DEFAULT_RETENTION_FLOOR): string[] {
  try {
    parseRetentionPolicy(input, floor);
    return [];
  } catch (error) {
    if (!isCountersignError(error, 'INVALID_PARAMETERS')) throw error;
    return (error.data?.issues ?? []).map(({ path, message }) => `${path} ${message}`);
  }
}

describe('parseRetentionPolicy', () => {
  it('accepts the defaults, and keeps the spelling', () => {
    expect(parseRetentionPolicy(DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR)).toEqual(DEFAULT_RETENTION);
    const spelled = { ...DEFAULT_RETENTION, approvedAfterEnd: 'P60M', unfinished: 'P0D' };
    expect(parseRetentionPolicy(spelled, DEFAULT_RETENTION_FLOOR)).toEqual(spelled);
  });

  it.each([
    ['approvedAfterEnd', 'P4Y', 'must be at least P5Y'],
    ['approvedAfterEnd', 'P1826D', 'must be at least P5Y'],
    ['approvedLongest', 'P4Y', 'must be at least P5Y'],
    ['rejected', 'P59M', 'must be at least P5Y'],
  ])('refuses %s of %s, which the floor is longer than', (path, duration, message) => {
    expect(issuesOf({ ...DEFAULT_RETENTION, [path]: duration })).toEqual([`${path} ${message}`]);
  });

  it('compares what is stored with the floor: spaces around a period do not hide that it is too short', () => {
    expect(issuesOf({ ...DEFAULT_RETENTION, rejected: ' P1D ' })).toEqual(['rejected must be at least P5Y']);
    const spaced = { ...DEFAULT_RETENTION, rejected: ' P6Y ' };
    expect(parseRetentionPolicy(spaced, DEFAULT_RETENTION_FLOOR).rejected).toBe('P6Y');
  });

  it('refuses a time of unfinished verifications under the floor, and no time of replaced uploads', () => {
    const floor = { ...DEFAULT_RETENTION_FLOOR, unfinished: 'P30D' };
    expect(issuesOf({ ...DEFAULT_RETENTION, unfinished: 'P29D', replacedUploads: 'P0D' }, floor)).toEqual([
      'unfinished must be at least P30D',
    ]);
  });

  it('refuses a longest time that is shorter than the time after the end', () => {
    expect(issuesOf({ ...DEFAULT_RETENTION, approvedAfterEnd: 'P11Y' })).toEqual([
      'approvedLongest must be at least P11Y',
    ]);
  });

  it('refuses a longest time that is shorter than the time after the end beside another period, and once', () => {
    expect(issuesOf({ ...DEFAULT_RETENTION, approvedAfterEnd: 'P11Y', rejected: 'P4Y' })).toEqual([
      'rejected must be at least P5Y',
      'approvedLongest must be at least P11Y',
    ]);
    expect(issuesOf({ ...DEFAULT_RETENTION, approvedAfterEnd: 'P11Y', approvedLongest: 'P4Y' })).toEqual([
      'approvedLongest must be at least P5Y',
    ]);
  });

  it('floorOf: the law sets no time for replaced uploads', () => {
    expect(floorOf('replacedUploads', DEFAULT_RETENTION_FLOOR)).toBeNull();
    expect(floorOf('rejected', DEFAULT_RETENTION_FLOOR)).toBe('P5Y');
  });

  it.each(RETENTION_PERIODS)('refuses %s that is no duration, missing or no text', (path) => {
    const [message] = issuesOf({ ...DEFAULT_RETENTION, [path]: '5 years' });
    expect(message).toBe(
      `${path} must be a duration in ISO 8601 of whole years, months, weeks or days, at most 100 years, such as P5Y or P90D`,
    );
    expect(issuesOf({ ...DEFAULT_RETENTION, [path]: undefined })).toEqual([`${path} is required`]);
    for (const value of [5, ['P11Y']]) {
      expect(issuesOf({ ...DEFAULT_RETENTION, [path]: value })).toEqual([`${path} must be a string`]);
    }
  });

  it('refuses unknown fields, and values that are no policy', () => {
    expect(issuesOf({ ...DEFAULT_RETENTION, approved: 'P5Y' })).toEqual(['approved is not a known field']);
    expect(issuesOf('P5Y')).toEqual([' must be an object']);
    expect(issuesOf(null)).toHaveLength(1);
  });
});
