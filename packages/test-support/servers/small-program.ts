import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunningProgram {
  readonly child: ChildProcess;
  /** Resolves with the first line on standard output that begins with the word. */
  said(word: string): Promise<string>;
  /** Resolves when the process has ended, with all it wrote. */
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>;
}

/**
 * Runs a small program in a process of its own: an ES module that finds the package as './src/index.ts' and its
 * arguments in `process.argv` from 1 on. It is killed at the latest when `afterwards` calls: vitest's `onTestFinished`.
 */
export type RunProgram = (
  afterwards: (kill: () => void) => void,
  program: string,
  args?: readonly string[],
) => RunningProgram;

/**
 * @param directory of the package whose programs these are
 * @param launcher what starts Node instead of this process alone, such as a shell that sets limits first
 */
export function programsIn(directory: string, launcher: readonly string[] = []): RunProgram {
  return (afterwards, program, args = []) => {
    const flags = ['--conditions=source', '--experimental-strip-types', '--no-warnings', '--input-type=module'];
    const [command = process.execPath, ...before] = launcher;
    const node = launcher.length === 0 ? [] : [process.execPath];
    const child = spawn(command, [...before, ...node, ...flags, '--eval', program, '--', ...args], {
      cwd: directory,
    });
    afterwards(() => void child.kill('SIGKILL'));
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }));

    async function said(word: string): Promise<string> {
      const find = () =>
        output
          .split('\n')
          .slice(0, -1)
          .find((line) => line.startsWith(word));
      for (;;) {
        const line = find();
        if (line !== undefined) return line;
        if (child.exitCode !== null) throw new Error(`ended without saying ${word}: ${output}${errors}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    }

    return { child, said, ended };
  };
}
