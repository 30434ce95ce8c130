// Walks several subjects through the pages while their reader is killed: only whole processes show what is lost.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { WEIGHTS_URL } from '@countersign/reading';
import { createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { newStaff } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms } from '@countersign/test-support/pages/subject-forms';
import { startServer } from '@countersign/test-support/processes/server-process';
import { until } from '@countersign/test-support/processes/until';
import { expect, it } from 'vitest';

const SUBJECTS = extent({ full: 40, short: 3 });

/** How long a look at one picture can last on a busy machine: its process starts, and reads. */
const READ_WITHIN_MS = 200_000;

/** A drawn card with a machine-readable zone, and the number in it. */
const PICTURE = readFileSync(new URL('known.jpg', WEIGHTS_URL));
const NUMBER = 'U39777556';

/** Returns the readers of documents that run below a server. */
function readersOf(server: number): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const isReader = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('program/main.');
      return isReader && Number(parent) === server ? [Number(pid)] : [];
    } catch {
      // No process, or one that has ended.
      return [];
    }
  });
}

it('kill -9 of the reader at any moment: every answer is accepted, and opening the case reads what is missing', async () => {
  const server = await startServer({ readsDocuments: true });
  const { key } = await givenClientOf(server, { plan: 'enterprise' });
  const reviewer = await newStaff(server, 'reviewer');
  const api = createApiClient(server.baseUrl, key);
  let isOver = false;
  let kills = 0;
  async function killReaders(): Promise<void> {
    while (!isOver) {
      for (const pid of readersOf(server.pid)) {
        // While it starts, reads its weights, gets the picture, reads it, or answers.
        await pause((kills * 37) % 500);
        try {
          process.kill(pid, 'SIGKILL');
          kills += 1;
        } catch {
          // It has ended.
        }
      }
      await pause(5);
    }
  }

  const killing = killReaders();
  const ids: string[] = [];
  for (let n = 0; n < SUBJECTS; n += 1) {
    const created = await api.post({ subjectType: 'kyc', subjectReference: `subject-${n}` });
    const forms = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyc');
    await forms.walk({ file: () => new Blob([PICTURE]) });
    ids.push(idOf(created));
  }
  for (const id of ids) expect(dataOf(await api.get(`/verifications/${id}`)).status).toBe('submitted');
  isOver = true;
  await killing;
  expect(kills).toBeGreaterThan(2);

  const pageOf = async (id: string) => (await reviewer.get(`/review/${id}`)).text();
  for (const id of ids) {
    await until(async () => (await pageOf(id)).includes(NUMBER), { withinMs: READ_WITHIN_MS });
  }
  expect(readersOf(server.pid)).toHaveLength(1);
  const log = server.output().split('\n');
  expect(log.filter((line) => line.includes('documents were not read')).length).toBeLessThan(2);
  expect(log.filter((line) => /"level":"(?:error|fatal)"/.test(line))).toEqual([]);
  await server.stop();
  await until(() => readersOf(server.pid).length === 0);
}, 600_000);
