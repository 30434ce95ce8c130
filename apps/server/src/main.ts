#!/usr/bin/env -S node --max-semi-space-size=8 --no-parallel-scavenge
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { runCommandLine } from './commands/command-line.ts';
import { EXIT } from './commands/failure.ts';

// A reader such as `head` may close the pipe early. Any other fault, such as a full disk, ends the command.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return;
  process.stderr.write(`countersign: The output cannot be written (${code}). It is incomplete\n`);
  process.exit(EXIT.failed);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  environment: process.env,
  out: (text) => process.stdout.write(text),
  canPrint,
  err: (text) => process.stderr.write(text),
  ask: process.stdin.isTTY && process.stderr.isTTY ? askAtTerminal : undefined,
  setPriority,
});

/** Waits for the reader of standard output. It has left if the stream is destroyed. */
async function canPrint(): Promise<boolean> {
  const { stdout } = process;
  if (stdout.writableNeedDrain && !stdout.destroyed) {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        stdout.off('drain', done).off('close', done);
        resolve();
      };
      stdout.on('drain', done).on('close', done);
    });
  }
  return !stdout.destroyed;
}

/** Asks on standard error, so that standard output has the result alone. */
async function askAtTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
