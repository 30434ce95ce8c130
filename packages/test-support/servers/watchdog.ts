import { spawn } from 'node:child_process';

/**
 * Ends the process in the folder's file `pid` with its children and removes the folders when this process ends, which closes
 * the pipe even after SIGKILL. Sends `signal` before SIGKILL, so that Postgres releases its shared memory.
 */
const SCRIPT = `
signal=$1 folder=$2
shift
cat >/dev/null
if pid=$(cat "$folder/pid" 2>/dev/null); then
  all="$pid $(cat "/proc/$pid/task/$pid/children" 2>/dev/null || pgrep -P "$pid")"
  kill -s "$signal" "$pid"
  kill -s CONT $all
  for moment in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" || break; sleep 0.2; done
  kill -s KILL $all
fi
rm -rf "$@"`;

export interface Watchdog {
  /** Ends the watchdog, which removes the folders that still exist. */
  release(): void;
}

export function watch(signal: 'QUIT' | 'TERM', folder: string, ...others: readonly string[]): Watchdog {
  const dog = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', signal, folder, ...others], {
    // Its own session, so that Ctrl-C ends the tests but not the cleanup.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  dog.unref();
  return { release: () => void dog.stdin.end() };
}
