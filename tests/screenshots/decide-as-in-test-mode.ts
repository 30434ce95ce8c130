import { change } from '@countersign/test-support/installation/database-file';

/**
 * Lets new verifications of a client be decided as in test mode, or ends that. Meanwhile the client is its own test twin, whose
 * settings it has, and its twin is that of no client: each client has one at most.
 */
export function decideAsInTestMode(databaseFile: string, clientId: string, is: boolean): void {
  const parked = `twin of ${clientId}`;
  const moveTwin = 'UPDATE clients SET test_of = ? WHERE test_of = ? AND id <> ?';
  if (is) change(databaseFile, moveTwin, parked, clientId, clientId);
  change(databaseFile, `UPDATE clients SET test_of = ${is ? 'id' : 'NULL'} WHERE id = ?`, clientId);
  if (!is) change(databaseFile, moveTwin, clientId, parked, clientId);
}
