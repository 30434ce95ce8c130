// A reader that does what each picture says, in the place of the program of the server.
import { readdirSync, readSync, writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

writeSync(1, 'ready\n');
for (;;) obey(readInput(readInput(4).readUInt32BE()).toString('utf8', 0, 20).split(' ')[0]);

/** @param {string | undefined} order */
function obey(order) {
  if (order === 'die') process.exit(3);
  if (order === 'kill') process.kill(process.pid, 'SIGKILL');
  if (order === 'garbage') writeSync(1, 'no result\n');
  while (order === 'flood') writeSync(1, 'x'.repeat(4000));
  while (order === 'spin');
  if (order === 'thread') workInThread();
  // The answer to `hang` never comes.
  if (order === 'pid' || order === 'last' || order === 'thread') {
    writeSync(1, `${JSON.stringify({ outcome: 'nothing', readerVersion: String(process.pid), fields: {} })}\n`);
  }
  if (order === 'last') process.kill(process.pid, 'SIGKILL');
}

/** Works for 0.25 s of the processor in a thread of its own, for whose end this one waits, and for 0.2 s more. */
function workInThread() {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const work = `const { workerData: done } = require('node:worker_threads');
    while (process.threadCpuUsage().user < 250_000);
    Atomics.store(done, 0, 1);
    Atomics.notify(done, 0);`;
  const threads = () => readdirSync('/proc/self/task').length;
  const before = threads();
  const worker = new Worker(work, { eval: true, workerData: done });
  worker.unref();
  Atomics.wait(done, 0, 0);
  while (threads() > before) Atomics.wait(done, 0, 1, 10);
  Atomics.wait(done, 0, 1, 200);
}

/** @param {number} bytes */
function readInput(bytes) {
  const content = Buffer.alloc(bytes);
  for (let offset = 0; offset < bytes; ) {
    const count = readSync(0, content, offset, bytes - offset, null);
    if (count === 0) process.exit();
    offset += count;
  }
  return content;
}
