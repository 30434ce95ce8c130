/** Why there is no backup, or why a backup is not restored. The message is one line for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
