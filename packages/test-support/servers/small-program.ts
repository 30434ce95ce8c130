import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunningProgram {
  readonly child: ChildProcess;
  /** Resolves to the first line on standard output that starts with the word. */
  said(word: string): Promise<string>;
  /** Resolves to the exit code and the output when the process has ended. */
  readonly ended: Promise<{ code: number | null; output: string; errors: string }>;
}

/**
 * Runs a small ES module in its own process. It imports the package as './src/index.ts' and has its arguments in
 * `process.argv` from 1 on. `afterwards` (vitest's `onTestFinished`) kills it at the latest.
 */
export type RunProgram = (
  afterwards: (kill: () => void) => void,
  program: string,
  args?: readonly string[],
) => RunningProgram;

/**
 * @param directory the package of the programs
 * @param launcher a command that starts Node, such as a shell that sets limits first
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
    let isOver = false;
    const ended = once(child, 'close').then(([code]) => {
      isOver = true;
      return { code: code as number | null, output, errors };
    });

    async function said(word: string): Promise<string> {
      const find = () =>
        output
          .split('\n')
          .slice(0, -1)
          .find((line) => line.startsWith(word));
      for (;;) {
        const line = find();
        if (line !== undefined) return line;
        if (isOver) throw new Error(`ended without saying ${word}: ${output}${errors}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    }

    return { child, said, ended };
  };
}
