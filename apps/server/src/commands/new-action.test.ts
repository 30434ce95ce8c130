import { join } from 'node:path';
import { ACTIONS, type Action, defineAction } from '@countersign/domain/actions';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';

// An action is one entry of the catalogue. The server needs no other change.
interface Notice {
  readonly level: 'info' | 'warning';
  readonly showDays?: number | undefined;
  readonly until?: string | undefined;
}

const postNotice: Action<Notice, Notice> = defineAction<Notice, Notice>({
  id: 'notices.post',
  who: ['operator', 'command_line'],
  fields: {
    level: { kind: 'choice', of: ['info', 'warning'] },
    showDays: { kind: 'number', integer: true, max: 9, optional: true },
    until: { kind: 'date', optional: true },
  },
  audit: { keep: ['level', 'showDays'] },
  outcomes: [],
  run: async (_services, input) => input,
});

const operator = operatorOfEachTest();

const run = (...args: string[]) =>
  runCommand(['notice', 'post', ...args], { DATA_DIR: operator.dataDir }, [...ACTIONS, postNotice]);

test('a new action gets a command with options from its fields', async () => {
  const { out } = await run('--help');
  expect(out).toMatch(/--level <level> .*"info", "warning"/);
  expect(out).toMatch(/--show-days <n> +a whole number/);
  expect(out).toMatch(/--until <date> +a date such as 2027-01-31/);
});

test('a new action runs from the command line and is recorded in the audit log', async () => {
  const { exitCode, out } = await run('--level', 'warning', '--show-days', '3', '--json');
  expect([exitCode, JSON.parse(out)]).toEqual([0, { level: 'warning', showDays: 3 }]);

  const storage = await createSqliteStorage({ file: join(operator.dataDir, 'countersign.db') });
  const lines = await storage.audit.read(0, 10);
  await storage.close();
  expect(lines).toMatchObject([
    { action: 'notices.post', outcome: 'allowed', detail: { level: 'warning', showDays: 3 } },
  ]);
});

test('a new action refuses invalid options in one line', async () => {
  expect(await run('--level', 'loud')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("'--level <level>'"),
  });
  expect(await run('--level', 'info', '--show-days', '10')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("option '--show-days': must be at most 9"),
  });
});

test('an action that the command line may not run has no command', async () => {
  const { err } = await runCommand(['review', 'approve'], { DATA_DIR: operator.dataDir });
  expect(err).toContain("unknown command 'review'");
});

test.each([
  [['--pinned', 'off'], 0, { pinned: false }],
  [['--pinned', 'on', '--loud'], 0, { pinned: true, loud: true }],
  [['--pinned', 'maybe'], 2, null],
  [[], 2, null],
])('the flags of a new action are read from %j', async (options, exitCode, result) => {
  interface Flags {
    readonly pinned: boolean;
    readonly loud?: boolean | undefined;
  }
  const pin: Action<Flags, Flags> = defineAction<Flags, Flags>({
    id: 'notices.pin',
    who: ['command_line'],
    fields: { pinned: { kind: 'flag' }, loud: { kind: 'flag', optional: true } },
    outcomes: [],
    run: async (_services, input) => input,
  });
  const done = await runCommand(['notice', 'pin', ...options, '--json'], { DATA_DIR: operator.dataDir }, [pin]);
  expect([done.exitCode, done.out === '' ? null : JSON.parse(done.out)]).toEqual([exitCode, result]);
});
