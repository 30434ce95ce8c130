import type { DescribedRows, Value } from './rows.ts';

/** An open transaction. Nothing is repeated: if its connection is lost, it has changed nothing. */
export interface Transaction {
  /** @throws as `PostgresPool.run` */
  run(text: string, parameters: Value[]): Promise<DescribedRows>;
  /**
   * Ends the transaction, once.
   * @throws as `PostgresPool.run`. After a commit without an answer, its outcome is unknown
   * @throws PostgresFault `25P02` if the server rolled it back instead of committing it, because a statement had failed
   */
  end(statement: 'commit' | 'rollback'): Promise<void>;
}
