// Starts the command line for each case.
import { describe, expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';
import { operatorOfEachTest } from '../../test-support/operator.ts';

const NOWHERE = '0198c0de-0000-7000-8000-000000000000';

const operator = operatorOfEachTest();
const { run } = operator;

describe('an invalid command line prints one line that names the error, and changes nothing', () => {
  const create = 'client create --name Acme';
  const set = `subscription set --client ${NOWHERE}`;
  const key = `key create --client ${NOWHERE}`;
  const long = 'x'.repeat(101);

  test.each<[command: string, line: RegExp, ...more: string[]]>([
    ['nonsense', /unknown command 'nonsense'/],
    ['client list --nonsense', /unknown option '--nonsense'/],
    ['client list nonsense', /too many arguments/],
    ['client create --plan standard', /'--name <name>' not specified/],
    [create, /'--plan <plan>' not specified/],
    [`${create} --plan gold`, /'--plan <plan>' argument 'gold' is invalid.*standard, enterprise, none/],
    [`${create} --plan standard --monthly-limit -1`, /--monthly-limit/],
    [`${create} --plan standard --monthly-limit 1.5`, /'--monthly-limit <n>' argument '1.5' is invalid/],
    [`${create} --plan standard --monthly-limit 9999999999`, /'--monthly-limit'/],
    [`${create} --plan none --monthly-limit 1`, /'--monthly-limit'/],
    ['client create --plan standard --name', /'--name'/, ' '],
    [`client create --plan standard --name ${long}`, /'--name'/],
    [set, /nothing to set: give --plan/],
    [`${set} --status paused`, /'--status <status>' argument 'paused' is invalid.*active, canceled/],
    [`${set} --ends-at tomorrow`, /'--ends-at <time>' argument 'tomorrow' is invalid.*never/],
    [`${set} --ends-at 2027-02-30`, /'--ends-at <time>'/],
    [`${set} --ends-at 2027-01-31T12:00:00`, /'--ends-at <time>'/],
    [
      `${key} --permissions verifications:delete`,
      /'--permissions <list>' argument 'verifications:delete' is invalid/,
    ],
    [`${key} --permissions`, /'--permissions <list>'/, ''],
    [`${key} --permissions * --expires 31`, /'--expires <days>' argument '31' is invalid.*30, 90, 180, 365/],
    [`${key} --permissions * --name ${long}`, /'--name'/],
    ['key list', /'--client <id>' not specified/],
    ['key revoke', /give the key's id once/],
    [`key revoke ${NOWHERE} --key ${NOWHERE}`, /give the key's id once/],
    ['audit list --action nonsense', /'--action': must be the id of an action, such as users.create/],
    ['backup', /missing required argument 'folder'/],
    ['backup', /'folder'.*Expected the name of a folder/, ''],
    ['serve --json', /'--json' has no meaning for serve/],
  ])('%s (%s)', async (command, line, ...more) => {
    const { exitCode, out, err } = await run(command, ...more);
    expect(err).toMatch(/^countersign: [^\n]+\n$/);
    expect(err).toMatch(line);
    expect([exitCode, out]).toEqual([2, '']);
    expect((await run('client list --json')).out).toBe('[]\n');
  });
});

test.each([
  [`subscription set --client ${NOWHERE} --plan standard`, 'CLIENT_NOT_FOUND'],
  [`key create --client ${NOWHERE} --permissions *`, 'CLIENT_NOT_FOUND'],
  [`key list --client ${NOWHERE}`, 'CLIENT_NOT_FOUND'],
  [`key revoke ${NOWHERE}`, 'API_KEY_NOT_FOUND'],
  [`key revoke --client ${NOWHERE} --key ${NOWHERE}`, 'API_KEY_NOT_FOUND'],
])('an unknown client or key prints its error code: %s', async (command, code) => {
  const { exitCode, out, err } = await run(command, '--json');
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toMatch(new RegExp(`^countersign: [^\\n]+ \\(${code}\\)\\n$`));
});

test('a command group without a command prints its help and fails', async () => {
  const { exitCode, out, err } = await run('key');
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toContain('Usage: countersign key');
});

test('each shipped action has a command with a description of its own and help for each option', async () => {
  const groups = ['client', 'subscription', 'key', 'user', 'verification', 'audit'];
  for (const group of groups) {
    const { out } = await run(group, '--help');
    expect(out).not.toContain('run the action');
    const commands = out.split('Commands:')[1]?.match(/(?<=^ {2})[a-z][a-z-]*/gm) ?? [];
    for (const name of commands.filter((command) => command !== 'help')) {
      const lines = (await run(group, name, '--help')).out.split('\n');
      expect(lines.filter((line, index) => isWithoutHelp(line, lines[index + 1]))).toEqual([]);
    }
  }
});

/** Whether a line of help has an option and no text, neither beside it nor in the next line. */
function isWithoutHelp(line: string, next = ''): boolean {
  return /^ {2}--[a-z-]+( <[a-z]+>)?$/.test(line.trimEnd()) && !/^ {6}/.test(next);
}

test('--help and --version exit with 0', async () => {
  expect(await run('--help')).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('Exit codes') });
  expect(await run('--version')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

test('database commands need no other setting, also in production', async () => {
  const { exitCode } = await runCommand(['client', 'list'], {
    NODE_ENV: 'production',
    DATA_DIR: operator.dataDir,
  });
  expect(exitCode).toBe(0);
});

test('an invalid setting prints one line and exits with 78', async () => {
  const result = await runCommand(['client', 'list'], {
    DATABASE_URL: 'postgres://:word@db/x',
    DATA_DIR: operator.dataDir,
  });
  expect(result).toMatchObject({ exitCode: 78, out: '' });
  expect(result.err).toMatch(/^countersign: DATABASE_URL has no user: expected [^\n]+\n$/);
});
