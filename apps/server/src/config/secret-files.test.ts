import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  readDoctorSettings,
  readSealingSettings,
  readServerSettings,
  readStorageSettings,
  SECRET_VARIABLES,
} from './environment.ts';
import { parse, secret } from './parse-environment.ts';
import { fileVariableOf, SECRET_FILE_MAX_BYTES } from './secret-files.ts';

/** A value of each secret variable. */
const VALUES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://ada:hunter2@db/countersign',
  DATABASE_DIRECT_URL: 'postgres://ada:hunter2@direct/countersign',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter2',
  REDIS_URL: 'redis://:hunter2@cache/1',
  SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
  SMTP_URL: 'smtps://ada:hunter2@smtp.example',
};

let directory: string;
beforeEach(() => {
  directory = temporaryFolder();
});

function givenFile(name: string, content: string | Uint8Array, mode = 0o600): string {
  const file = join(directory, name);
  writeFileSync(file, content);
  chmodSync(file, mode);
  return file;
}

test('every secret variable is read from its file, without the line break at the end', () => {
  expect(Object.keys(VALUES).sort()).toEqual([...SECRET_VARIABLES].sort());
  const files = Object.entries(VALUES).map(([name, value]) => [
    fileVariableOf(name),
    givenFile(name, `${value}\n`),
  ]);
  const others = { MAIL_FROM: 'no-reply@verify.example', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector' };
  const { secretFiles, ...settings } = readServerSettings({ ...Object.fromEntries(files), ...others });
  const { secretFiles: none, ...expected } = readServerSettings({ ...VALUES, ...others });
  expect(settings).toEqual(expected);
  expect(none).toEqual([]);
  expect(secretFiles.map(({ variable, file }) => [variable, file]).sort()).toEqual(files.sort());
});

test('docs/operations.md names the file of every secret variable', () => {
  const docs = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
  expect(SECRET_VARIABLES.filter((name) => !docs.includes(`\`${fileVariableOf(name)}\``))).toEqual([]);
});

test('the settings of commands are read from files too', () => {
  const environment = {
    DATABASE_URL_FILE: givenFile('url', 'postgres://ada:hunter2@db/countersign\r\n'),
    SECRET_KEYS_FILE: givenFile('keys', `${'ab'.repeat(32)}\n${'cd'.repeat(32)}\n`),
  };
  expect(readStorageSettings(environment).database).toMatchObject({ kind: 'postgres', url: VALUES.DATABASE_URL });
  expect(readSealingSettings(environment).secretKeys).toEqual([Buffer.alloc(32, 0xab), Buffer.alloc(32, 0xcd)]);
  expect(readDoctorSettings(environment).secretFiles).toHaveLength(2);
});

test('a link to a file is followed, as orchestrators mount secrets', () => {
  const link = join(directory, 'link');
  symlinkSync(givenFile('target', VALUES.SECRET_KEYS ?? ''), link);
  expect(readSealingSettings({ SECRET_KEYS_FILE: link }).secretKeys).toHaveLength(1);
});

test('an empty variable does not name a file', () => {
  expect(readSealingSettings({ SECRET_KEYS_FILE: '', DATABASE_URL_FILE: '' }).secretKeys).toBeUndefined();
});

test('a variable and its file are not set together', () => {
  const environment = { REDIS_URL: VALUES.REDIS_URL, REDIS_URL_FILE: givenFile('redis', VALUES.REDIS_URL ?? '') };
  expect(() => readServerSettings(environment)).toThrow(
    /^REDIS_URL_FILE is set, and so is REDIS_URL: set only one of them$/,
  );
});

describe('refused with one line that does not quote the content:', () => {
  const refusals: readonly [what: string, make: () => string, problem: RegExp][] = [
    ['a missing file', () => join(directory, 'none'), /: the file does not exist, expected a file that/],
    ['a path below a file', () => join(givenFile('a', 'x'), 'b'), /: the file does not exist, /],
    ['an empty file', () => givenFile('a', ''), /: the file is empty, expected the value/],
    ['a file of line breaks', () => givenFile('a', ' \r\n\n'), /: the file is empty, /],
    ['a directory', () => directory, /: this is a directory, expected a file$/],
    ['a pipe', givenPipe, /: this is a pipe or a device, expected a file$/],
    ['a device', () => '/dev/zero', /: this is a pipe or a device, /],
    [
      'several lines',
      () => givenFile('a', 'redis://cache\nhunter2\n'),
      /: the file has 2 lines, expected .* one line$/,
    ],
    [
      'a large file',
      () => givenFile('a', 'hunter2'.repeat(SECRET_FILE_MAX_BYTES)),
      /: the file is too large, expected one secret in at most 16384 bytes$/,
    ],
    [
      'bytes that are not text',
      () => givenFile('a', Buffer.from([0xff, 0xfe, 0x68])),
      /: the file is not text in UTF-8, /,
    ],
    ['a NUL', () => givenFile('a', 'redis://cache\0'), /: the file is not text in UTF-8, /],
    [
      'a file that cannot be read',
      () => '/proc/self/mem',
      /: EIO, expected a file that the server's user can read$/,
    ],
    ['a path with a line break', () => `${directory}/a\nb`, /a\\nb": the file does not exist/],
  ];

  test.each(refusals)('%s', (_what, make, problem) => {
    const environment = { REDIS_URL_FILE: make() };
    expect(() => readServerSettings(environment)).toThrow(problem);
    expect(() => readServerSettings(environment)).toThrow(/^REDIS_URL_FILE is "/);
    expect(() => readServerSettings(environment)).not.toThrow(/hunter2|\n/);
  });

  function givenPipe(): string {
    const pipe = join(directory, 'pipe');
    execFileSync('mkfifo', [pipe]);
    return pipe;
  }
});

test('a value of a file is checked like that of the variable', () => {
  expect(() => readServerSettings({ REDIS_URL_FILE: givenFile('a', 'http://hunter2') })).toThrow(
    /^REDIS_URL is not a valid Redis URL: expected/,
  );
});

test('a schema of a secret that refuses a value does not quote it', () => {
  const schema = z.object({ TOKEN: secret(z.string().regex(/^\d+$/, 'expected digits')) });
  expect(() => parse(schema, { TOKEN: 'hunter2' })).toThrow(/^TOKEN is invalid: expected digits$/);
});

test('the server warns about a file that every user can read, and starts', () => {
  const warningsFor = (mode: number) =>
    readServerSettings({ REDIS_URL_FILE: givenFile('redis', 'redis://cache', mode) }).warnings;
  expect(warningsFor(0o640)).toEqual([]);
  expect(warningsFor(0o444)).toEqual([
    `REDIS_URL_FILE is ${join(directory, 'redis')}, which every user of this machine can read: give read access only to the server's user`,
  ]);
});
