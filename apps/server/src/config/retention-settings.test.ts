import { readFileSync } from 'node:fs';
import { DEFAULT_RETENTION, DEFAULT_RETENTION_FLOOR } from '@countersign/domain/retention';
import { expect, test } from 'vitest';
import { clearingHour, RETENTION_DEFAULTS, retentionSettings } from './retention-settings.ts';

test('retention settings: without variables, they are the defaults of the domain, in UTC', () => {
  const defaults = { policy: DEFAULT_RETENTION, floor: DEFAULT_RETENTION_FLOOR, timeZone: 'UTC' };
  expect(retentionSettings({})).toEqual(defaults);
  expect(retentionSettings({ RETENTION_REJECTED: '', RETENTION_TIME_ZONE: '' })).toEqual(defaults);
});

test('retention settings: every variable sets its own period', () => {
  const variables = Object.keys(RETENTION_DEFAULTS).sort();
  expect(variables).toEqual([
    'RETENTION_APPROVED_AFTER_END',
    'RETENTION_APPROVED_LONGEST',
    'RETENTION_FLOOR_APPROVED',
    'RETENTION_FLOOR_REJECTED',
    'RETENTION_FLOOR_UNFINISHED',
    'RETENTION_REJECTED',
    'RETENTION_REPLACED_UPLOADS',
    'RETENTION_UNFINISHED',
  ]);
  expect(
    retentionSettings({
      RETENTION_APPROVED_AFTER_END: 'P6Y',
      RETENTION_APPROVED_LONGEST: 'P11Y',
      RETENTION_REJECTED: 'P1Y6M',
      RETENTION_UNFINISHED: 'P8W',
      RETENTION_REPLACED_UPLOADS: 'P0D',
      RETENTION_FLOOR_APPROVED: 'P4Y',
      RETENTION_FLOOR_REJECTED: 'P1Y',
      RETENTION_FLOOR_UNFINISHED: 'P1D',
      RETENTION_TIME_ZONE: 'Europe/Berlin',
    }),
  ).toEqual({
    policy: {
      approvedAfterEnd: 'P6Y',
      approvedLongest: 'P11Y',
      rejected: 'P1Y6M',
      unfinished: 'P8W',
      replacedUploads: 'P0D',
    },
    floor: { approved: 'P4Y', rejected: 'P1Y', unfinished: 'P1D' },
    timeZone: 'Europe/Berlin',
  });
});

const EXPECTED =
  'expected an ISO 8601 duration of years, months, weeks or days up to 100 years, such as P5Y or P90D';

test.each([
  ['RETENTION_REJECTED', '5 years', `RETENTION_REJECTED is "5 years": ${EXPECTED}`],
  ['RETENTION_REJECTED', 'P5Y\n', `RETENTION_REJECTED is "P5Y\\n": ${EXPECTED}`],
  ['RETENTION_UNFINISHED', 'PT36H', `RETENTION_UNFINISHED is "PT36H": ${EXPECTED}`],
  ['RETENTION_APPROVED_LONGEST', 'P101Y', `RETENTION_APPROVED_LONGEST is "P101Y": ${EXPECTED}`],
  ['RETENTION_FLOOR_APPROVED', '-P1Y', `RETENTION_FLOOR_APPROVED is "-P1Y": ${EXPECTED}`],
  ['RETENTION_REJECTED', 'P1826D', 'RETENTION_REJECTED is "P1826D": must be at least P5Y'],
  ['RETENTION_FLOOR_REJECTED', 'P7Y', 'RETENTION_REJECTED is "P5Y": must be at least P7Y'],
  ['RETENTION_APPROVED_AFTER_END', 'P12Y', 'RETENTION_APPROVED_LONGEST is "P10Y": must be at least P12Y'],
  [
    'RETENTION_TIME_ZONE',
    'Berlin',
    'RETENTION_TIME_ZONE is "Berlin": expected a name of the IANA time zone database, such as Europe/Berlin',
  ],
])('retention settings: %s=%j stops the start with one line', (variable, value, line) => {
  expect(() => retentionSettings({ [variable]: value })).toThrow(line);
  expect(() => retentionSettings({ [variable]: value })).not.toThrow(/\n/);
});

test('docs/operations.md lists the settings of retention with their defaults', () => {
  const rows = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8').split('\n');
  for (const [variable, value] of [...Object.entries(RETENTION_DEFAULTS), ['RETENTION_TIME_ZONE', 'UTC']]) {
    const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${variable}\``)) ?? '';
    expect(row, variable).toContain(`\`${value}\``);
  }
});

test.each([
  [undefined, 3],
  ['0', 0],
  ['23', 23],
  ['off', undefined],
])('CLEAR_ERASED_SPACE_HOUR: %s is %s', (text, hour) => {
  expect(clearingHour({ CLEAR_ERASED_SPACE_HOUR: text }, 'sqlite')).toBe(hour);
});

test.each(['24', '-1', '3.5', 'never'])('CLEAR_ERASED_SPACE_HOUR: %s is refused', (text) => {
  expect(() => clearingHour({ CLEAR_ERASED_SPACE_HOUR: text }, 'sqlite')).toThrow('an hour from 0 to 23, or off');
});

test('CLEAR_ERASED_SPACE_HOUR: is refused on Postgres, where it has no effect', () => {
  expect(clearingHour({}, 'postgres')).toBeUndefined();
  expect(() => clearingHour({ CLEAR_ERASED_SPACE_HOUR: '3' }, 'postgres')).toThrow(
    'is a PostgreSQL URL: unset it',
  );
});
