import { DEFAULT_RETENTION } from '../src/retention/policy.ts';
import {
  compareTransferKeys,
  type TransferEntries,
  type TransferKind,
  type TransferTarget,
  transferKeyOf,
} from '../src/transfer/transfer.ts';
import { toRecord } from '../src/verification/verification-record.ts';
import { aClient } from './client.ts';
import { NOW, pending } from './verifications.ts';

export type Content = { [K in TransferKind]: TransferEntries[K][] };

/** Test data: a storage of arrays that records its calls. */
export interface GivenStorage extends TransferTarget {
  readonly content: Content;
  /** The calls that changed it, in order: `begin`, `write clients 2`, `finish`. */
  readonly changes: string[];
}

export function givenStorage(content: Partial<Content> = {}): GivenStorage {
  const all: Content = {
    clients: [],
    clientRetention: [],
    usage: [],
    verifications: [],
    events: [],
    exports: [],
    handOvers: [],
    readings: [],
    indexKeys: [],
    indexedVerifications: [],
    indexEntries: [],
    mails: [],
    mailBudgets: [],
    clientFaces: [],
    webhookEndpoints: [],
    webhookDeliveries: [],
    webhookAttempts: [],
    erasures: [],
    erasureLogs: [],
    retentionRuns: [],
    audit: [],
    apiKeys: [],
    ...content,
  };
  const changes: string[] = [];
  let isUnfinished = false;
  return {
    content: all,
    changes,
    count: async (kind) => all[kind].length,
    async read(kind, after, limit) {
      const key = (entry: TransferEntries[typeof kind]) => transferKeyOf(kind, entry);
      const rows: TransferEntries[typeof kind][] = all[kind];
      const sorted = rows.toSorted((a, b) => compareTransferKeys(key(a), key(b)));
      return sorted
        .filter((entry) => after === null || compareTransferKeys(key(entry), after) > 0)
        .slice(0, limit);
    },
    hasUnfinishedCopy: async () => isUnfinished,
    async begin() {
      changes.push('begin');
      isUnfinished = true;
    },
    async write(kind, entries) {
      changes.push(`write ${kind} ${entries.length}`);
      all[kind].push(...structuredClone(entries));
    },
    async finish() {
      changes.push('finish');
      isUnfinished = false;
    },
  };
}

/** A small installation: two clients, five verifications and two lines of the audit log of each. */
export function givenInstallation(): GivenStorage {
  const storage = givenStorage({
    erasureLogs: [{ id: 'log' }],
    retentionRuns: [{ lastRunAt: NOW, pausedUntil: null }],
  });
  for (const clientId of ['client-1', 'client-2']) fill(storage.content, clientId);
  return storage;
}

function fill(content: Content, clientId: string): void {
  const subscription = {
    plan: 'standard',
    status: 'active',
    monthlyLimit: 7,
    startsAt: NOW,
    endsAt: null,
  } as const;
  content.clients.push({
    client: aClient({ id: clientId }),
    subscription,
  });
  content.mails.push({
    id: `mail of ${clientId}`,
    kind: 'verification.link',
    clientId,
    verificationId: null,
    userId: null,
    targetId: null,
    plannedAt: NOW,
    dueAt: NOW,
    attempts: 0,
    heldUntil: null,
  });
  content.mailBudgets.push({ name: `budget of ${clientId}`, used: 1, allowed: 2, endsAt: NOW });
  content.clientFaces.push({
    clientId,
    details: { displayName: 'Shop', colour: null, supportAddress: null, privacyAddress: null },
    logo: { id: 'logo', width: 2, height: 1, content: new Uint8Array([1, 2]) },
  });
  content.clientRetention.push({ clientId, policy: DEFAULT_RETENTION });
  content.usage.push({ clientId, month: '2026-03', used: 5, allowance: 7 });
  content.erasures.push({
    number: content.erasures.length + 1,
    clientId,
    verificationId: `erased of ${clientId}`,
    at: NOW,
    rule: 'requested',
    steps: 7,
    files: 4,
    events: 20,
    hash: `hash of ${clientId}`,
    finishedAt: null,
  });
  content.apiKeys.push({
    id: `key of ${clientId}`,
    clientId,
    name: 'shop',
    hash: `hash of ${clientId}`,
    display: 'csk_ab12…cd34',
    permissions: ['*'],
    networks: ['203.0.113.0/24'],
    createdAt: NOW,
    createdBy: null,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: NOW,
    noticedDays: 7,
  });
  for (const outcome of ['allowed', 'refused'] as const) {
    const sequence = content.audit.length + 1;
    content.audit.push({
      sequence,
      at: NOW,
      actor: { kind: 'operator', id: null },
      from: null,
      action: 'clients.create',
      outcome,
      clientId,
      targetId: clientId,
      detail: { plan: 'standard' },
      previousHash: `hash of ${sequence - 1}`,
      hash: `hash of ${sequence}`,
    });
  }
  const endpointId = `endpoint of ${clientId}`;
  content.webhookEndpoints.push({
    id: endpointId,
    clientId,
    url: 'https://receiver.example',
    name: '',
    types: ['verification.created'],
    state: 'active',
    since: NOW,
    createdAt: NOW,
    createdBy: null,
    secret: { value: 'whsec_1', wrappedBy: null },
    secretVersion: 1,
    previousSecret: null,
    olderSecret: null,
    failingSince: null,
  });
  const delivery = { clientId, endpointId, eventId: `event of ${clientId}-1` };
  content.webhookDeliveries.push({
    ...delivery,
    verificationId: `${clientId}-1`,
    version: 1,
    type: 'verification.created',
    at: NOW,
    state: 'waiting',
    attempts: 1,
    dueAt: NOW,
  });
  content.webhookAttempts.push({
    ...delivery,
    id: `attempt of ${clientId}`,
    at: NOW,
    durationMs: 1,
    request: '{}',
    status: 500,
    response: '',
    fault: null,
  });
  content.exports.push({
    id: `export of ${clientId}`,
    clientId,
    verificationId: `${clientId}-1`,
    requestedAt: NOW,
    requestedBy: 'subject',
    releasedAt: NOW,
    releasedBy: null,
    codeHash: `hash of ${clientId}`,
    linkVersion: 1,
    expiresAt: NOW,
    wrongCodes: 2,
    downloadedAt: null,
    downloads: 0,
    declinedAt: null,
    declineReason: null,
  });
  content.handOvers.push({
    clientId,
    verificationId: `${clientId}-1`,
    linkVersion: 1,
    codeHash: `code of ${clientId}`,
    issuedAt: NOW,
    expiresAt: NOW,
    spentAt: null,
    countedFrom: NOW,
    issued: 1,
  });
  content.indexKeys.push({ clientId, version: 1, value: `key of ${clientId}`, wrappedBy: 'key-1' });
  const verificationId = `${clientId}-1`;
  content.indexedVerifications.push({ clientId, verificationId, keyVersion: 1, rulesVersion: 1 });
  content.indexEntries.push({ clientId, verificationId, purpose: 'email', label: `label of ${clientId}` });
  content.readings.push({
    clientId,
    verificationId: `${clientId}-1`,
    fileId: `file of ${clientId}`,
    readerVersion: '1',
    readAt: NOW,
    data: { outcome: 'nothing' },
  });
  for (let n = 1; n <= 5; n += 1) {
    const id = `${clientId}-${n}`;
    const record = toRecord({ ...pending(), id, clientId, subjectReference: `user_${n}` });
    content.verifications.push({ ...record, dataKey: { wrappedBy: 'key-1', wrapped: `wrapped-${n}` } });
    content.events.push({
      event: {
        id: `event of ${id}`,
        clientId,
        verificationId: id,
        version: 1,
        type: 'verification.created',
        status: 'pending',
        data: {},
        at: NOW,
        actor: { kind: 'api_key', id: null },
      },
      unsent: n % 2 === 0,
    });
  }
}
