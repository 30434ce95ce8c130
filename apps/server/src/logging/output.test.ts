import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createOutput, type Output } from './output.ts';

function outputToFile(): { output: Output; written: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-output-'));
  const file = join(folder, 'log');
  const descriptor = openSync(file, 'w');
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { output: createOutput(descriptor), written: () => readFileSync(file, 'utf8') };
}

const lineOf = (index: number, length: number) => `${index} ${'ü€😀'.repeat(length)}\n`;

test('everything is written in its order, lines longer than a bundle among them', async () => {
  const { output, written } = outputToFile();
  const lines = Array.from({ length: 500 }, (_, index) => lineOf(index, index % 50 === 0 ? 20_000 : index % 30));

  for (const line of lines) output.write(line);
  await output.close();

  expect(written()).toBe(lines.join(''));
});

test('what waits is written when that is asked for, and not only when its time has come', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { output, written } = outputToFile();

  output.write(lineOf(1, 3));
  output.flushSync();

  // Some of it may be in the hands of the system already, which then writes it.
  while (written() === '') await new Promise(setImmediate);
  expect(written()).toBe(lineOf(1, 3));
  await output.close();
});
