import { shortReference } from '@countersign/domain';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import { type Storage, withoutDocuments } from '@countersign/domain/storage';
import { aLogo, someDetails } from './appearances.ts';
import { aLine, anAuditQuery } from './audit.ts';
import { aClient, aSubscription } from './clients.ts';
import { aDataKey, replace } from './data-keys.ts';
import { eventOf } from './events.ts';
import { aRefusal, aRelease, aRequest } from './exports.ts';
import { aHandOver } from './hand-overs.ts';
import { clientId, endpointId, eventId, exportId, keyId, MARCH, minute, verificationId } from './ids.ts';
import { aLabel, anIndexKey, labelled, ofClient, someLabels } from './indexes.ts';
import { aNote } from './kept-warnings.ts';
import { aKey, keyHash } from './keys.ts';
import { aMail, DONE, heldBy, leaseMails } from './mails.ts';
import { aBrowseQuery, aQuery, aQueueQuery } from './queries.ts';
import { aReading } from './readings.ts';
import { aRecord, moved } from './records.ts';
import { aPolicy, aReceipt, place } from './retention.ts';
import { commit, createCharged } from './verifications.ts';
import { anEndpoint, due, fanOut, leaseEndpoints, leaseOf, NOW, settle, UNTIL } from './webhooks.ts';

type Ports = Omit<Storage, 'ping' | 'close'>;
type Call = (storage: Storage) => Promise<unknown>;

const first = aRecord(1);
const release = { id: exportId(1), linkVersion: 1 };
const at = minute(100);

/** One call of each operation of each port, about the first client and its first verification. */
export const EVERY_CALL: { readonly [P in keyof Ports]: { readonly [N in keyof Ports[P]]: Call } } = {
  verifications: {
    createCharged: (storage) => createCharged(storage, aRecord(2)),
    commit: (storage) => commit(storage, moved(first, 'submitted')),
    noteWarnings: ({ verifications }) => verifications.noteWarnings(aNote(1)),
    find: ({ verifications }) => verifications.find(clientId(1), first.id),
    findForAnyClient: ({ verifications }) => verifications.findForAnyClient(first.id),
    clientOf: ({ verifications }) => verifications.clientOf(first.id),
    clientsWithReference: ({ verifications }) =>
      verifications.clientsWithReference(first.subjectReference, [clientId(1)]),
    findByIdempotencyKey: ({ verifications }) => verifications.findByIdempotencyKey(clientId(1), 'key'),
    findWithHistory: ({ verifications }) => verifications.findWithHistory(clientId(1), first.id),
    findWithEventsForAnyClient: ({ verifications }) => verifications.findWithEventsForAnyClient(first.id, 10),
    queue: ({ verifications }) => verifications.queue(aQueueQuery()),
    list: ({ verifications }) => verifications.list(clientId(1), aQuery()),
    browse: ({ verifications }) => verifications.browse(clientId(1), aBrowseQuery()),
    findByShortReference: ({ verifications }) =>
      verifications.findByShortReference({ reference: shortReference(first.id), limit: 10 }),
    findEndings: ({ verifications }) =>
      verifications.findEndings([{ clientId: clientId(1), verificationId: first.id }]),
    counts: ({ verifications }) => verifications.counts(clientId(1)),
    reviewActivity: ({ verifications }) =>
      verifications.reviewActivity({ clientId: clientId(1), days: { from: 2, until: 3 }, comparedFrom: 1 }),
    reviewLoad: ({ verifications }) => verifications.reviewLoad({ now: at, decidedFrom: minute(90) }),
    countByStatus: ({ verifications }) => verifications.countByStatus(),
    dueInSandbox: ({ verifications }) => verifications.dueInSandbox(10),
    dueForExpiry: ({ verifications }) =>
      verifications.dueForExpiry({ linkEndedBy: at, requestedBy: at, limit: 10 }),
  },
  apiKeys: {
    resolve: ({ apiKeys }) => apiKeys.resolve(keyHash(1)),
    issue: ({ apiKeys }) => apiKeys.issue(aKey(2)),
    issueFirst: ({ apiKeys }) => apiKeys.issueFirst(aKey(3)),
    list: ({ apiKeys }) => apiKeys.list(clientId(1)),
    revoke: ({ apiKeys }) => apiKeys.revoke(clientId(1), keyId(1), at),
    recordUse: ({ apiKeys }) =>
      apiKeys.recordUse({ clientId: clientId(1), keyId: keyId(1), at, unlessSince: minute(90) }),
  },
  clients: {
    create: ({ clients }) => clients.create({ client: aClient(2), subscription: null }),
    testTwin: ({ clients }) => clients.testTwin(clientId(1), { id: clientId(3), createdAt: at }),
    find: ({ clients }) => clients.find(clientId(1)),
    list: ({ clients }) => clients.list(),
    search: ({ clients }) => clients.search({ namePrefix: '', after: undefined, limit: 10, countUpTo: 10 }),
    names: ({ clients }) => clients.names([clientId(1)]),
    changeSubscription: ({ clients }) =>
      clients.changeSubscription(clientId(1), { monthlyLimit: 5 }, aSubscription()),
    setReturnAddresses: ({ clients }) => clients.setReturnAddresses(clientId(1), ['https://client.example/']),
    setFileAccess: ({ clients }) => clients.setFileAccess(clientId(1), true),
    setFlowSettings: ({ clients }) => clients.setFlowSettings(clientId(1), NEW_FLOW_SETTINGS),
    setReasonTemplates: ({ clients }) => clients.setReasonTemplates(clientId(1), NO_TEMPLATES),
    usedIn: ({ clients }) => clients.usedIn(clientId(1), MARCH),
  },
  webhooks: {
    add: ({ webhooks }) => webhooks.add(anEndpoint(2)),
    list: ({ webhooks }) => webhooks.list(clientId(1)),
    change: ({ webhooks }) => webhooks.change(clientId(1), endpointId(1), { name: 'new' }, NOW),
    remove: ({ webhooks }) => webhooks.remove(clientId(1), endpointId(1)),
    fanOut: (storage) => fanOut(storage),
    leaseEndpoints: (storage) => leaseEndpoints(storage),
    extend: ({ webhooks }) => webhooks.extend(leaseOf(anEndpoint()), UNTIL),
    due: (storage) => due(storage, anEndpoint()),
    settle: (storage) => settle(storage, anEndpoint(), eventOf(first)),
    release: ({ webhooks }) => webhooks.release(leaseOf(anEndpoint())),
    deliveries: ({ webhooks }) =>
      webhooks.deliveries({
        clientId: clientId(1),
        endpointId: endpointId(1),
        state: undefined,
        after: undefined,
        limit: 10,
      }),
    attempts: ({ webhooks }) => webhooks.attempts(clientId(1), endpointId(1), eventId(1)),
    resend: ({ webhooks }) =>
      webhooks.resend({ clientId: clientId(1), endpointId: endpointId(1), which: { since: at }, now: NOW }),
    forget: ({ webhooks }) => webhooks.forget({ before: NOW, limit: 10 }),
    backlog: ({ webhooks }) => webhooks.backlog(10),
    countPausedAfterFailures: ({ webhooks }) => webhooks.countPausedAfterFailures(),
    countSecretsNotWrappedBy: ({ webhooks }) => webhooks.countSecretsNotWrappedBy('key-1'),
    listSecretsNotWrappedBy: ({ webhooks }) => webhooks.listSecretsNotWrappedBy('key-1', null, 10),
    replaceSecret: ({ webhooks }) => {
      const { secret: stored } = anEndpoint();
      const entry = { clientId: clientId(1), endpointId: endpointId(1), which: 'secret', stored } as const;
      return webhooks.replaceSecret(entry, stored);
    },
  },
  dataKeys: {
    find: ({ dataKeys }) => dataKeys.find(clientId(1), first.id),
    listOneOfEachKey: ({ dataKeys }) => dataKeys.listOneOfEachKey(10),
    countNotWrappedBy: ({ dataKeys }) => dataKeys.countNotWrappedBy('key-1'),
    listNotWrappedBy: ({ dataKeys }) => dataKeys.listNotWrappedBy('key-1', null, 10),
    replace: (storage) => replace(storage, 1, aDataKey(1)),
  },
  retention: {
    find: ({ retention }) => retention.find(place(1)),
    storedTraces: ({ retention }) => retention.storedTraces(place(1)),
    due: ({ retention }) => retention.due({ now: at, limit: 10 }),
    uploadsDue: ({ retention }) => retention.uploadsDue({ now: at, limit: 10 }),
    unfinished: ({ retention }) => retention.unfinished({ begunBefore: at, limit: 10 }),
    schedule: ({ retention }) =>
      retention.schedule({
        place: place(1),
        expected: { version: 1, retentionCheckAt: null, uploadsCheckAt: null },
        checkAt: null,
        uploadsCheckAt: at,
      }),
    change: ({ retention }) => {
      const verification = { ...withoutDocuments(first), decidedBy: null, version: 2, heldAt: at };
      return retention.change({ verification, expectedVersion: 1, events: [] });
    },
    erase: ({ retention }) =>
      retention.erase({
        expectedVersion: 1,
        event: eventOf({ ...first, version: 2 }, { type: 'verification.data_erased', data: {} }),
        erasure: { ...aReceipt(1), number: null },
      }),
    recordErasure: ({ retention }) => retention.recordErasure(aReceipt(2)),
    finish: ({ retention }) => retention.finish({ clientId: clientId(1), number: 1 }, at),
    erasure: ({ retention }) => retention.erasure(1),
    erasures: ({ retention }) => retention.erasures({ after: 0, limit: 10 }),
    lastErasure: ({ retention }) => retention.lastErasure(),
    erasureLogId: ({ retention }) => retention.erasureLogId(),
    setErasureLogId: ({ retention }) => retention.setErasureLogId('log-1'),
    withoutReceipt: ({ retention }) => retention.withoutReceipt([1]),
    ofClient: ({ retention }) => retention.ofClient(clientId(1)),
    ofClients: ({ retention }) => retention.ofClients(null, 10),
    setPolicy: ({ retention }) => retention.setPolicy(clientId(1), aPolicy()),
    recheck: ({ retention }) => retention.recheck({ clientId: clientId(1), after: null, limit: 10, at }),
    setPlan: ({ retention }) =>
      retention.setPlan({ clientId: clientId(1), plannedBy: 'rules', plannedAfter: verificationId(1) }),
    beginRun: ({ retention }) =>
      retention.beginRun({ now: at, expectedFrom: at, expectedUntil: at, pauseUntil: at }),
    lastRun: ({ retention }) => retention.lastRun(),
  },
  exports: {
    request: ({ exports }) => exports.request(aRequest(1)),
    release: ({ exports }) => exports.release(aRelease(1)),
    decline: ({ exports }) => exports.decline(aRefusal(1)),
    end: ({ exports }) => exports.end(release, at),
    endAll: ({ exports }) => exports.endAll(at),
    countWrongCode: ({ exports }) => exports.countWrongCode(release),
    markDownloaded: ({ exports }) => exports.markDownloaded(release, at),
    find: ({ exports }) => exports.find(exportId(1)),
    ofVerification: ({ exports }) => exports.ofVerification(place(1)),
    list: ({ exports }) => exports.list({ waiting: false, after: null, limit: 10 }),
    forget: ({ exports }) => exports.forget({ before: at, limit: 10 }),
  },
  handOvers: {
    issue: ({ handOvers }) => handOvers.issue(aHandOver(1)),
    spend: ({ handOvers }) => handOvers.spend(aHandOver(1), at),
    find: ({ handOvers }) => handOvers.find(place(1)),
    forget: ({ handOvers }) => handOvers.forget({ before: at, limit: 10 }),
  },
  indexes: {
    keys: ({ indexes }) => indexes.keys(clientId(1)),
    addKey: ({ indexes }) => indexes.addKey(anIndexKey(2)),
    removeKey: ({ indexes }) => indexes.removeKey(anIndexKey(1)),
    find: ({ indexes }) => indexes.find({ labels: [ofClient(aLabel(1))], limit: 10 }),
    save: ({ indexes }) => indexes.save(labelled(1), someLabels(1), 1),
    listBehind: ({ indexes }) => indexes.listBehind({ rulesVersion: 1, after: null, limit: 10 }),
    countBehind: ({ indexes }) => indexes.countBehind({ rulesVersion: 1 }),
    countKeysNotWrappedBy: ({ indexes }) => indexes.countKeysNotWrappedBy('key-1'),
    listKeysNotWrappedBy: ({ indexes }) => indexes.listKeysNotWrappedBy('key-1', null, 10),
    replaceKey: ({ indexes }) => indexes.replaceKey(anIndexKey(1), { value: 'next', wrappedBy: 'key-2' }),
  },
  readings: {
    save: ({ readings }) => readings.save(aReading(1), 1),
    find: ({ readings }) => readings.find(place(1)),
    remove: ({ readings }) => readings.remove([aReading(1)]),
  },
  mails: {
    add: ({ mails }) => mails.add([aMail(1)]),
    lease: (storage) => leaseMails(storage),
    settle: ({ mails }) => mails.settle(heldBy(1), DONE),
    backlog: ({ mails }) => mails.backlog({ now: at, limit: 10 }),
    takeFromBudgets: ({ mails }) =>
      mails.takeFromBudgets({ budgets: [{ name: 'budget', allowed: 1, windowMs: 60_000 }], now: at }),
    returnToBudgets: ({ mails }) =>
      mails.returnToBudgets({ budgets: [{ name: 'budget', allowed: 1, windowMs: 60_000 }], takenAt: at }),
    deleteEndedBudgets: ({ mails }) => mails.deleteEndedBudgets({ now: at, limit: 10 }),
    expiringKeys: ({ mails }) => mails.expiringKeys({ now: at, until: minute(200), days: 7, limit: 10 }),
    noteKeyExpiry: ({ mails }) =>
      mails.noteKeyExpiry({ clientId: clientId(1), keyId: keyId(1), days: 7, mails: [aMail(2)] }),
  },
  appearances: {
    find: ({ appearances }) => appearances.find(clientId(1)),
    setDetails: ({ appearances }) => appearances.setDetails(clientId(1), someDetails()),
    setLogo: ({ appearances }) => appearances.setLogo(clientId(1), aLogo()),
    logoContent: ({ appearances }) => appearances.logoContent(clientId(1), aLogo().id),
  },
  counters: {
    differences: ({ counters }) => counters.differences(clientId(1)),
    recount: ({ counters }) => counters.recount({ clientId: clientId(1), day: 1, type: 'kyc' }),
  },
  audit: {
    append: ({ audit }) => audit.append(aLine(1)),
    head: ({ audit }) => audit.head(),
    list: ({ audit }) => audit.list(anAuditQuery()),
    read: ({ audit }) => audit.read(0, 10),
  },
};
