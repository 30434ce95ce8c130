// Sends requests from a separate process, so that its CPU time is not counted as the server's.
//
// Runs one round per message and exits with its parent process.
import { runRound } from './round.mjs';

process.on('message', (message) => {
  runRound(/** @type {import('./round.mjs').Round} */ (message)).then(
    (result) => process.send?.({ result }),
    (error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
