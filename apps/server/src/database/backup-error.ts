/** Why a backup was not made or not restored. The message is one line for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
