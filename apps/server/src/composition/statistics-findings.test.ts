import { expect, test } from 'vitest';
import type { DatabaseFacts } from '../database/database.ts';
import { statisticsProblems } from './statistics-findings.ts';

const facts = (serverVersion: string, notAnalyzable: readonly string[]) =>
  ({
    kind: 'postgres',
    serverVersion,
    notAnalyzable,
    direct: { host: 'db:5432', user: 'server', isReachable: true },
  }) as unknown as DatabaseFacts;

test.each([
  ['18.4', 'GRANT MAINTAIN ON verifications, webhook_attempts TO server'],
  ['17.0', 'GRANT MAINTAIN ON verifications, webhook_attempts TO server'],
  ['16.9', 'set DATABASE_DIRECT_URL to a user that owns the tables'],
])('doctor: on PostgreSQL %s, it names the missing right to analyze: %s', (version, remedy) => {
  const problems = statisticsProblems(facts(version, ['verifications', 'webhook_attempts']));
  expect(problems).toEqual([expect.stringMatching(new RegExp(`^The user server may not analyze .*: ${remedy}$`))]);
});

test.each([null, facts('18.4', [])])('doctor: no problem is found if no right is missing', (database) => {
  expect(statisticsProblems(database)).toEqual([]);
});
