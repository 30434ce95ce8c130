import { describeWith } from '@countersign/test-support/servers';
import { isInRun } from '@countersign/test-support/size-of-run';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Given, givenAccounts } from './accounts.ts';
import { DATABASES, type Databases, type PlacedDatabase } from './databases.ts';

/** The accounts of one test, and their database. */
interface Place extends Given {
  readonly database: PlacedDatabase;
}

/** Registers a suite for each kind of database. The pooler has a separate test, because it starts slowly. */
export function onEveryDatabase(name: string, suite: (at: Place) => void): void {
  for (const [kind, needs, open] of DATABASES.slice(0, 2)) {
    if (!isInRun(kind === 'SQLite' ? 'quick' : 'rest')) continue;
    describeWith(needs, `${name}, on ${kind}`, () => {
      let databases: Databases;
      let database: PlacedDatabase;
      let given: Given;
      beforeAll(async () => {
        databases = await open();
      });
      beforeEach(async () => {
        database = await databases.emptied();
        given = await givenAccounts(database);
      });
      afterEach(() => given.accounts.close());
      afterAll(() => databases.close());

      suite({
        get database() {
          return database;
        },
        get accounts() {
          return given.accounts;
        },
        get clock() {
          return given.clock;
        },
        get hashed() {
          return given.hashed;
        },
        user: (input) => given.user(input),
        idOf: (email) => given.idOf(email),
        linkFor: (email) => given.linkFor(email),
        signIn: (...input) => given.signIn(...input),
      });
    });
  }
}
