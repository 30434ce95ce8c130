/** Where accounts are kept: the database of the service itself, in tables of their own. */
export type AccountsDatabase =
  | {
      readonly kind: 'sqlite';
      /** Made by the storage, which comes first. */
      readonly file: string;
    }
  | {
      readonly kind: 'postgres';
      /** May be that of PgBouncer in transaction mode. */
      readonly url: string;
      /** Past a pooler, for migrations; left out, `url`. */
      readonly directUrl?: string | undefined;
    };
