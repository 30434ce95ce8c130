import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test } from 'vitest';
import { createStatusNotes } from '../serve/status-file.ts';
import { examineServers } from './server-findings.ts';

const START = new Date('2026-03-10T12:00:00Z');
const later = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const JOBS = [{ name: 'tidy_evidence', run: async () => undefined, interval: { everyMs: 60 * 60_000 } }];

function given({ trustedProxies = 0 } = {}) {
  const dataDir = temporaryFolder();
  let now = START;
  const notes = createStatusNotes({ dataDir, port: 8080, version: '0.2.0', trustedProxies }, () => now);
  notes.jobsStarted(JOBS);
  const at = (minutes: number) => {
    now = later(minutes);
    return notes;
  };
  const problems = async (minutes: number) => (await examineServers({ dataDir }, later(minutes))).problems;
  return { dataDir, at, problems };
}

test('no server has run: nothing is found', async () => {
  const { dataDir } = given();
  expect(await examineServers({ dataDir })).toEqual({ facts: [], lines: [], problems: [] });
  expect(await examineServers({ dataDir: join(dataDir, 'none') })).toMatchObject({ facts: [] });
});

test('a running server and the last runs of its jobs are listed', async () => {
  const { dataDir, at, problems } = given();
  await at(1).jobEnded({ job: 'tidy_evidence', ok: true, durationMs: 1 });
  await at(2).write();
  expect((await examineServers({ dataDir }, later(3))).lines).toEqual([
    'Server on port 8080, version 0.2.0, running since 2026-03-10T12:00:00.000Z; last runs of jobs: tidy_evidence 2026-03-10T12:01:00.000Z',
  ]);
  expect(await problems(3)).toEqual([]);
});

test('the first run of a job is listed as soon as it has ended, before the file is written again', async () => {
  const { dataDir, at } = given();
  const jobsOf = async () => (await examineServers({ dataDir }, later(0))).lines[0]?.split('; ')[1];
  const written = at(0).write();
  const ended = at(0).jobEnded({ job: 'tidy_evidence', ok: true, durationMs: 1 });
  await written;
  await ended;
  expect(await jobsOf()).toBe('last runs of jobs: tidy_evidence 2026-03-10T12:00:00.000Z');
});

test('a job whose first run has not ended is listed as such', async () => {
  const { dataDir, at } = given();
  await at(0).write();
  expect((await examineServers({ dataDir }, later(0))).lines).toEqual([
    expect.stringMatching(/; last runs of jobs: tidy_evidence not finished yet$/),
  ]);
});

test('a job that failed, or that ended long ago, is a problem while the server runs', async () => {
  const { at, problems } = given();
  await at(1).jobEnded({ job: 'tidy_evidence', ok: false, durationMs: 1 });
  await at(1).write();
  expect(await problems(2)).toEqual([
    'The job tidy_evidence of the server on port 8080 failed at 2026-03-10T12:01:00.000Z: see its log',
  ]);
  await at(2).jobEnded({ job: 'tidy_evidence', ok: true, durationMs: 1 });
  await at(183).write();
  expect(await problems(183)).toEqual([
    expect.stringContaining('has not finished since 2026-03-10T12:02:00.000Z'),
  ]);
  expect(await problems(187), 'the server is not running').toEqual([]);
  await at(184).write({ isStopped: true });
  expect(await problems(184)).toEqual([]);
});

test('ignored X-Forwarded-For is a problem when most requests have it', async () => {
  const { at, problems } = given();
  const notes = at(0);
  const request = (count: number, source: 'peer' | 'ignored_forwarding') => {
    for (let n = 0; n < count; n += 1) notes.requestFrom(source);
  };
  request(9, 'ignored_forwarding');
  await notes.write();
  expect(await problems(1)).toEqual([]);
  request(1, 'ignored_forwarding');
  await notes.write();
  expect(await problems(1)).toEqual([
    expect.stringMatching(
      /^10 of 10 requests .* had X-Forwarded-For, but TRUST_PROXY is 0: .* Set TRUST_PROXY to/,
    ),
  ]);
  request(11, 'peer');
  await notes.write();
  expect(await problems(1)).toEqual([]);
});

test('missing X-Forwarded-For is a problem when a proxy is trusted and most requests lack it', async () => {
  const { at, problems } = given({ trustedProxies: 2 });
  const notes = at(0);
  for (let n = 0; n < 10; n += 1) notes.requestFrom('missing_forwarding');
  await notes.write();
  expect(await problems(1)).toEqual([
    expect.stringMatching(
      /^10 of 10 requests .* had fewer addresses in X-Forwarded-For than TRUST_PROXY \(2\): .* Let each proxy add/,
    ),
  ]);
  for (let n = 0; n < 11; n += 1) notes.requestFrom('proxy');
  await notes.write();
  expect(await problems(1)).toEqual([]);
});

test('a file that another version wrote is skipped', async () => {
  const { dataDir } = given();
  writeFileSync(join(dataDir, 'server-status-1.json'), '{"port":1}');
  writeFileSync(join(dataDir, 'server-status-2.json'), 'not JSON');
  expect((await examineServers({ dataDir })).facts).toEqual([]);
});
