import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createOutput, type Output } from './output.ts';

function outputToFile(): { output: Output; written: () => string } {
  const folder = temporaryFolder();
  const file = join(folder, 'log');
  const descriptor = openSync(file, 'w');
  return { output: createOutput(descriptor), written: () => readFileSync(file, 'utf8') };
}

const lineOf = (index: number, length: number) => `${index} ${'ü€😀'.repeat(length)}\n`;

test('output: writes lines in order, also lines longer than its buffer', async () => {
  const { output, written } = outputToFile();
  const lines = Array.from({ length: 500 }, (_, index) => lineOf(index, index % 50 === 0 ? 20_000 : index % 30));

  for (const line of lines) output.write(line);
  await output.close();

  expect(written()).toBe(lines.join(''));
});

test('output.flushSync: writes the buffer immediately', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { output, written } = outputToFile();

  output.write(lineOf(1, 3));
  output.flushSync();

  // The operating system may already have written a part of the buffer.
  while (written() === '') await new Promise(setImmediate);
  expect(written()).toBe(lineOf(1, 3));
  await output.close();
});
