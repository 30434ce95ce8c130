import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/**
 * Collects garbage once the heap has grown by 30 % since the last collection; V8 lets it grow to several times its live
 * size.
 *
 * The option is not on the command line of Node, because V8 refuses code that was compiled with another value: Node would
 * compile its own modules at each start, which takes 45 ms. Call it when the server has loaded its modules.
 */
export function limitHeapGrowth(): void {
  // Afterwards Node would keep the modules of the start for a process that begins with the option.
  flushCompileCache();
  setFlagsFromString('--heap-growing-percent=30');
}
