import { spawn } from 'node:child_process';

/**
 * Ends what `pidFile` names, with all its children, and removes the folder, as soon as this process is gone: its end
 * of the pipe closes even when it is killed hard. It asks first, so that Postgres gives back its shared memory.
 */
const SCRIPT = `
folder=$1 signal=$2
cat >/dev/null
if pid=$(cat "$folder/pid" 2>/dev/null); then
  all="$pid $(cat "/proc/$pid/task/$pid/children" 2>/dev/null || pgrep -P "$pid")"
  kill -s "$signal" "$pid"
  kill -s CONT $all
  for moment in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.2; done
  kill -s KILL $all
fi
rm -rf "$folder"`;

export interface Watchdog {
  /** Nothing is left to be watched; the folder is removed if it still exists. */
  release(): void;
}

export function watch(folder: string, signal: 'QUIT' | 'TERM'): Watchdog {
  const dog = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', folder, signal], {
    // In a session of its own: Ctrl-C ends the tests, and must leave it the time to clean up behind them.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  dog.unref();
  return { release: () => void dog.stdin.end() };
}
