// Stryker's runner for vitest with a worker that is kept between runs, so that modules load once and not for each mutant. Mutants that
// are active only while a module loads are left out anyway.
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { ThreadsPoolWorker } from 'vitest/node';

/** Runs in one thread. Each run leaves listeners in it, so a new thread takes over after this number. */
const MOST_RUNS = 100;

/** @typedef {import('vitest/node').PoolWorker} PoolWorker */
/** @typedef {ConstructorParameters<typeof ThreadsPoolWorker>[0]} Options */

/** The thread of the last run. @type {{ worker: ThreadsPoolWorker, runs: number } | undefined} */
let kept;

/** The worker of one run, in a thread that is kept for the next. @implements {PoolWorker} */
class WarmWorker {
  name = 'warm';
  #worker;
  #isFirst;
  #isLast;
  /** The listeners of this run, which vitest removes only together with the thread. @type {Parameters<PoolWorker['on']>[]} */
  #listeners = [];

  /** @param {Options} options */
  constructor(options) {
    if (kept === undefined || kept.runs === MOST_RUNS) kept = { worker: new ThreadsPoolWorker(options), runs: 0 };
    kept.runs += 1;
    this.#worker = kept.worker;
    this.#isFirst = kept.runs === 1;
    this.#isLast = kept.runs === MOST_RUNS;
  }

  /** @type {PoolWorker['on']} */
  on(event, listener) {
    this.#listeners.push([event, listener]);
    this.#worker.on(event, listener);
  }

  /** @type {PoolWorker['off']} */
  off(event, listener) {
    this.#worker.off(event, listener);
  }

  /** @type {PoolWorker['send']} */
  send(message) {
    if (message.type !== 'stop' || this.#isLast) return this.#worker.send(message);
    const answer = { type: 'stopped', __vitest_worker_response__: true };
    for (const [event, listener] of this.#listeners) if (event === 'message') listener(answer);
  }

  async start() {
    if (this.#isFirst) await this.#worker.start();
  }

  async stop() {
    for (const [event, listener] of this.#listeners) this.off(event, listener);
    if (this.#isLast) await this.#worker.stop();
  }

  /** @type {PoolWorker['deserialize']} */
  deserialize(data) {
    return data;
  }
}

const pool = {
  name: 'warm',
  /** @param {Options} options */
  createPoolWorker: (options) => new WarmWorker(options),
};

/** Makes the runner for vitest, with this pool in place of its own. @param {any} injector of Stryker */
function createWarmRunner(injector) {
  const options = injector.resolve('options');
  return injector
    .provideValue('options', { ...options, vitest: { ...options.vitest, pool } })
    .injectFunction(vitestPlugins[0]?.factory);
}
createWarmRunner.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'warm', factory: createWarmRunner }];
/** The schema of the settings of Stryker's runner for vitest. */
export { strykerValidationSchema } from '@stryker-mutator/vitest-runner';
