/** Work that shares the lock of a migration. */
export interface MigrationSteps {
  /**
   * Runs before anything is migrated, with the names of the pending migrations. If it rejects, nothing is migrated.
   * It does not run for a new or empty database.
   */
  readonly before?: ((pending: readonly string[]) => Promise<void>) | undefined;
  /** Runs afterwards: migrates tables that another package keeps in the file. Returns the names of its migrations. */
  readonly after?: (() => Promise<readonly string[]>) | undefined;
}
