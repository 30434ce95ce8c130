// Appends the URL of each module that a process loads to the file of LOADED_MODULES. Loaded with `--import`.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(process.env.LOADED_MODULES ?? '', `${url}\n`);
    return nextLoad(url, context);
  },
});
