import { expect, test } from 'vitest';
import { runCommand } from '../../test-support/command.ts';

test.each([
  [
    'bogus',
    /^countersign: unknown command 'bogus'\. Known commands: serve, migrate, .*client, .*\. Help: countersign --help\n$/,
  ],
  [
    'client bogus --json',
    /^countersign: unknown command 'bogus'\. Known commands: create, .*list, .*\. Help: countersign client --help\n$/,
  ],
  [
    '--json client list --jsn',
    /^countersign: unknown option '--jsn' \(Did you mean --json\?\)\. Known options: --help, --json, --version\. Help: countersign client list --help\n$/,
  ],
  [
    'serve --bogus',
    /^countersign: unknown option '--bogus'\. Known options: .*--help, --json, --version\. Help: countersign serve --help\n$/,
  ],
  [
    '--bogus',
    /^countersign: unknown option '--bogus'\. Known options: --json, --version, --help\. Help: countersign --help\n$/,
  ],
])('%s: the error names what is known and the help, in one line', async (command, line) => {
  expect(await runCommand(command.split(' '), {})).toEqual({
    exitCode: 2,
    out: '',
    err: expect.stringMatching(line),
  });
});

test.each(['backup', 'client list more', 'client create --plan gold'])(
  '%s: an error about a known command lists no others',
  async (command) => {
    const { exitCode, err } = await runCommand(command.split(' '), {});
    expect(exitCode).toBe(2);
    expect(err).not.toContain('Known');
  },
);
