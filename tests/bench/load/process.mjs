// Sends requests, in a process of its own: what it costs must not be counted as the server's.
//
// Told by messages, one round after the other; it ends with whoever started it.
import { runRound } from './round.mjs';

process.on('message', (message) => {
  runRound(/** @type {import('./round.mjs').Round} */ (message)).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
