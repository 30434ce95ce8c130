import { MAX_ACTIVE_KEYS } from '@countersign/domain';
import type { ApiKeyRepository } from '@countersign/domain/storage';
import { columnParameters, compile, parameter, prepared } from '../connection/compiled.ts';
import { violatedConstraint } from '../connection/connection.ts';
import type { Session } from '../connection/session.ts';
import { and, asc, desc, eq, gt, isNotNull, isNull, lte, or, sql } from '../drizzle.ts';
import {
  apiKeyOf,
  fromApiKeyRow,
  fromSubscriptionRow,
  KNOWN_BY_HASH,
  subscriptionRowOf,
  toApiKeyRow,
} from '../rows/rows.ts';
import { apiKeys, clients, subscriptions } from '../schema.ts';
import { freeSlot } from './free-slot.ts';
import { createAddMails } from './mail-queue.ts';

export function createApiKeyRepository(session: Session): ApiKeyRepository {
  const { db, read, write, connection } = session;
  const addMails = createAddMails(session);
  const ofClient = eq(apiKeys.clientId, parameter('clientId'));
  const theKey = and(ofClient, eq(apiKeys.id, parameter('id')));

  const byHash = compile(
    connection,
    db
      .select({ key: KNOWN_BY_HASH, subscription: subscriptions, testOf: clients.testOf })
      .from(apiKeys)
      .innerJoin(clients, eq(clients.id, apiKeys.clientId))
      .leftJoin(subscriptions, eq(subscriptions.clientId, apiKeys.clientId))
      .where(eq(apiKeys.hash, parameter('hash'))),
  );
  const listed = prepared(
    db.select().from(apiKeys).where(ofClient).orderBy(desc(apiKeys.createdAt), desc(apiKeys.id)),
  );
  const releaseExpired = prepared(
    db
      .update(apiKeys)
      .set({ slot: null })
      .where(and(ofClient, isNotNull(apiKeys.slot), lte(apiKeys.expiresAt, parameter('now')))),
  );
  const insert = prepared(
    db.insert(apiKeys).values({ ...columnParameters(apiKeys), slot: freeSlot(apiKeys, MAX_ACTIVE_KEYS) }),
  );
  const holdsSlot = prepared(
    db
      .select({ id: apiKeys.id })
      .from(apiKeys)
      .where(and(ofClient, isNotNull(apiKeys.slot)))
      .limit(1),
  );
  const revoke = prepared(
    db
      .update(apiKeys)
      .set({ revokedAt: parameter('at'), slot: null })
      .where(and(theKey, isNull(apiKeys.revokedAt))),
  );
  const exists = prepared(db.select({ id: apiKeys.id }).from(apiKeys).where(theKey));
  const recordUse = prepared(
    db
      .update(apiKeys)
      .set({ lastUsedAt: parameter('at') })
      .where(and(theKey, or(isNull(apiKeys.lastUsedAt), lte(apiKeys.lastUsedAt, parameter('unlessSince'))))),
  );

  const unnoticed = and(
    isNull(apiKeys.revokedAt),
    or(isNull(apiKeys.noticedDays), gt(apiKeys.noticedDays, parameter('days'))),
  );
  const expiring = prepared(
    db
      .select()
      .from(apiKeys)
      .where(and(gt(apiKeys.expiresAt, parameter('now')), lte(apiKeys.expiresAt, parameter('until')), unnoticed))
      .orderBy(asc(apiKeys.expiresAt), asc(apiKeys.id))
      .limit(sql.placeholder('limit')),
  );
  const note = prepared(
    db
      .update(apiKeys)
      .set({ noticedDays: parameter('days') })
      .where(and(theKey, unnoticed)),
  );

  return {
    resolve: (hash) =>
      read(() => {
        const columns = byHash.get({ hash });
        if (columns === undefined) return null;
        return {
          key: apiKeyOf(columns, hash),
          subscription: fromSubscriptionRow(subscriptionRowOf(columns, KEY_COLUMNS)),
          testOf: columns.at(-1) as string | null,
        };
      }),

    async issue(key) {
      const row = toApiKeyRow(key);
      return write<{ outcome: 'issued' | 'limit_reached' | 'client_not_found' }>(() => {
        try {
          releaseExpired.run({ clientId: key.clientId, now: row.createdAt });
          insert.run(row);
          return { keep: true, value: { outcome: 'issued' } };
        } catch (error) {
          const violated = violatedConstraint(error);
          if (violated === 'keySlot') return { keep: false, value: { outcome: 'limit_reached' } };
          if (violated === 'knownClient') return { keep: false, value: { outcome: 'client_not_found' } };
          throw error;
        }
      });
    },

    async issueFirst(key) {
      const row = toApiKeyRow(key);
      const { clientId } = key;
      return write<{ outcome: 'issued' | 'key_exists' | 'client_not_found' }>(() => {
        try {
          releaseExpired.run({ clientId, now: row.createdAt });
          if (holdsSlot.get({ clientId }) !== undefined) return { keep: false, value: { outcome: 'key_exists' } };
          insert.run(row);
          return { keep: true, value: { outcome: 'issued' } };
        } catch (error) {
          if (violatedConstraint(error) !== 'knownClient') throw error;
          return { keep: false, value: { outcome: 'client_not_found' } };
        }
      });
    },

    list: (clientId) => read(() => listed.all({ clientId }).map(fromApiKeyRow)),

    revoke: (clientId, id, at) =>
      write<{ outcome: 'revoked' | 'already_revoked' | 'not_found' }>(() => {
        const { changes } = revoke.run({ clientId, id, at: at.getTime() });
        if (changes === 1) return { keep: true, value: { outcome: 'revoked' } };
        const outcome = exists.get({ clientId, id }) === undefined ? 'not_found' : 'already_revoked';
        return { keep: false, value: { outcome } };
      }),

    recordUse: ({ clientId, keyId, at, unlessSince }) =>
      write(() => {
        recordUse.run({ clientId, id: keyId, at: at.getTime(), unlessSince: unlessSince.getTime() });
        return { keep: true, value: undefined };
      }),

    expiring: ({ now, until, days, limit }) =>
      read(() => expiring.all({ now: now.getTime(), until: until.getTime(), days, limit }).map(fromApiKeyRow)),

    noteExpiry: ({ clientId, keyId, days, mails }) =>
      write<{ outcome: 'noted' | 'not_due' }>(() => {
        const { changes } = note.run({ clientId, id: keyId, days });
        if (changes === 0) return { keep: false, value: { outcome: 'not_due' } };
        addMails(mails);
        return { keep: true, value: { outcome: 'noted' } };
      }),
  };
}

const KEY_COLUMNS = Object.keys(KNOWN_BY_HASH).length;
