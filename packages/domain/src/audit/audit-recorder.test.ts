import { expect, test } from 'vitest';
import { givenEntries } from '../../test-support/audit-chain.ts';
import { createAuditRecorder, type RecordedAction } from './audit-recorder.ts';

const attempt = {
  actor: { kind: 'operator', id: null },
  from: null,
  clientId: null,
  targetId: null,
  detail: {},
} as const;

/** Runs an action that returns 'result', and returns the order of the run and the entries. */
async function recorded(changes: Partial<RecordedAction<string>>) {
  const steps: string[] = [];
  const { act } = createAuditRecorder({
    async append({ outcome, targetId, detail }) {
      steps.push(`${outcome} ${targetId} ${JSON.stringify(detail)}`);
      const [entry] = givenEntries(1);
      if (entry === undefined) throw new Error('no entry');
      return entry;
    },
    refusals: { record: async () => undefined, summarise: async () => undefined },
    onFault: () => undefined,
  });
  const run = async () => {
    steps.push('run');
    return 'result';
  };
  expect(await act({ attempt: { ...attempt, action: 'clients.create' }, run, ...changes })).toBe('result');
  return steps;
}

test('a refusal in the result is recorded without an entry of what was made', async () => {
  const steps = await recorded({ refusalOf: () => 'USER_EXISTS', made: () => ({ targetId: 'made' }) });
  expect(steps).toEqual(['allowed null {}', 'run', 'refused null {"code":"USER_EXISTS","of":1}']);
});

test('a read runs first, and its one entry says what was found', async () => {
  expect(await recorded({ found: (result) => ({ result }) })).toEqual(['run', 'allowed null {"result":"result"}']);
});
