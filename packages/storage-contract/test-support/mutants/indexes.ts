import {
  INDEX_PURPOSES,
  type IndexKey,
  type IndexLabel,
  type KeptLabels,
  type Storage,
  type VerificationLabels,
} from '@countersign/domain/storage';
import { indexKeysSuite } from '../../src/suites/index-keys.ts';
import { erasedLabelsSuite, indexLabelsSuite } from '../../src/suites/index-labels.ts';
import { verificationsBehindSuite } from '../../src/suites/verifications-behind.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  type Break,
  both,
  fail,
  indexes,
  remembering,
  retention,
  roundTrip,
  uuidOnly,
  verifications,
} from './patch.ts';

const { keys, addKey, removeKey, find, save, listBehind, countBehind } = indexes;
const { countKeysNotWrappedBy, listKeysNotWrappedBy, replaceKey } = indexes;
const { commit } = verifications;

const keyOf = async (storage: Storage, { clientId, version }: Pick<IndexKey, 'clientId' | 'version'>) =>
  (await storage.indexes.keys(clientId)).find((key) => key.version === version);

const indexKeysMutants: readonly Mutant[] = mutantsOf(indexKeysSuite, {
  'lists keys from the oldest': keys.result((found) => found.toReversed()),
  'orders keys as text': keys.result((found) =>
    found.toSorted((a, b) => (`${a.version}` < `${b.version}` ? 1 : -1)),
  ),
  'lists the newest key alone': keys.result((found) => found.slice(0, 1)),
  'keeps no name of the wrapping key': keys.result((found) => found.map((key) => ({ ...key, wrappedBy: null }))),
  'keeps an empty name for a plain key': addKey.input(({ wrappedBy }) => ({ wrappedBy: wrappedBy ?? '' })),
  'says that it added a key': addKey.override(async ({ next }, key) => {
    await next(key);
    return true;
  }),
  'replaces a key of the same version': addKey.override(async ({ next, storage }, key) => {
    const stored = await keyOf(storage, key);
    if (stored === undefined) return next(key);
    await storage.indexes.replaceKey(stored, key);
    return false;
  }),
  'looks for the version, then adds': addKey.override(async ({ next, storage }, key) => {
    const stored = await keyOf(storage, key);
    await roundTrip();
    await next(key);
    return stored === undefined;
  }),
  'has one key of each version': addKey.override(async ({ next, storage }, key) => {
    const all = await storage.indexes.listKeysNotWrappedBy('', null, 100);
    return !all.some(({ version }) => version === key.version) && next(key);
  }),
  'throws for an unknown client': addKey.override(
    async ({ next }, key) => (await next(key)) || (key.value !== 'value 1' ? false : fail('no client')),
  ),
  'throws for other ids when it lists keys': keys.before((clientId) => uuidOnly(clientId)),
  'throws for other ids when it removes a key': removeKey.before(({ clientId }) => uuidOnly(clientId)),
  'throws for other ids when it replaces a key': replaceKey.before(({ clientId }) => uuidOnly(clientId)),
  'removes nothing': removeKey.override(async () => true),
  'says that it removed a key': removeKey.override(async ({ next }, key) => {
    await next(key);
    return true;
  }),
  'removes the newest key': remembering(() => {
    const removed = new Set<string>();
    const nameOf = ({ clientId, version }: Pick<IndexKey, 'clientId' | 'version'>) => `${clientId} ${version}`;
    return both(
      removeKey.override(async ({ next, storage }, key) => {
        const [newest] = await storage.indexes.keys(key.clientId);
        if (newest?.version !== key.version) return next(key);
        removed.add(nameOf(key));
        return true;
      }),
      keys.result((found) => found.filter((key) => !removed.has(nameOf(key)))),
    );
  }),
  'removes a key that labels': remembering(() => {
    let removed: number | undefined;
    return both(
      removeKey.override(async ({ next }, key) => {
        removed = key.version;
        await next(key);
        return true;
      }),
      keys.result((found) => found.filter(({ version }) => version !== removed)),
    );
  }),
  'removes keys of all clients': removeKey.override(async ({ next, storage }, key) => {
    for (const other of await storage.indexes.listKeysNotWrappedBy('', null, 100)) {
      if (other.version === key.version) await next(other);
    }
    return next(key);
  }),
  'never removes a key that has labelled': remembering(() => {
    const used = new Set<number>();
    return both(
      save.after((_, __, { keyVersion }) => used.add(keyVersion)),
      removeKey.override(async ({ next }, key) => !used.has(key.version) && next(key)),
    );
  }),
  'leaves out plain keys': listKeysNotWrappedBy.result((found) =>
    found.filter(({ wrappedBy }) => wrappedBy !== null),
  ),
  'counts no plain keys': countKeysNotWrappedBy.override(async ({ storage }, key) => {
    const found = await storage.indexes.listKeysNotWrappedBy(key, null, 100);
    return found.filter(({ wrappedBy }) => wrappedBy !== null).length;
  }),
  'lists the keys of one client': listKeysNotWrappedBy.result((found) =>
    found.filter(({ clientId }) => clientId === found[0]?.clientId),
  ),
  'ignores the limit of keys': listKeysNotWrappedBy.override(({ next }, key, after) => next(key, after, 100)),
  'begins after the client of a key': listKeysNotWrappedBy.override(async ({ next }, key, after, limit) =>
    (await next(key, after, limit)).filter(({ clientId }) => clientId !== after?.clientId),
  ),
  'begins with the key itself': listKeysNotWrappedBy.override(({ next }, key, after, limit) =>
    next(key, after && { ...after, version: after.version - 1 }, limit),
  ),
  'lists in the order of versions': listKeysNotWrappedBy.result((found) =>
    found.toSorted((a, b) => a.version - b.version),
  ),
  'replaces whatever is stored': replaceKey.override(async ({ next, storage }, stored, given) => {
    const found = await keyOf(storage, stored).catch(() => undefined);
    return next(found ?? stored, given);
  }),
  'compares the value alone': replaceKey.override(async ({ next, storage }, stored, given) => {
    const found = await keyOf(storage, stored).catch(() => undefined);
    return next({ ...stored, wrappedBy: found?.wrappedBy ?? stored.wrappedBy }, given);
  }),
  'compares the wrapping key alone': replaceKey.override(async ({ next, storage }, stored, given) => {
    const found = await keyOf(storage, stored).catch(() => undefined);
    return next({ ...stored, value: found?.value ?? stored.value }, given);
  }),
  'keeps the wrapping key': replaceKey.override(({ next }, stored, given) =>
    next(stored, { ...given, wrappedBy: stored.wrappedBy }),
  ),
  'says that it replaced': replaceKey.override(async ({ next }, stored, given) => {
    await next(stored, given);
    return { outcome: 'replaced' };
  }),
  'replaces no plain key': replaceKey.override(async ({ next }, stored, given) =>
    stored.wrappedBy === null ? { outcome: 'conflict' } : next(stored, given),
  ),
  'replaces in all clients': replaceKey.override(async ({ next, storage }, stored, given) => {
    for (const other of await storage.indexes.listKeysNotWrappedBy('', null, 100)) {
      if (other.version === stored.version && other.clientId !== stored.clientId) await next(other, given);
    }
    return next(stored, given);
  }),
  'removes, then looks whether the key labels': removeKey.override(async ({ next, storage }, key) => {
    const isRemoved = await next(key);
    if (!isRemoved) return false;
    await roundTrip();
    const [newest] = await storage.indexes.keys(key.clientId);
    if (newest !== undefined) await storage.indexes.addKey({ ...newest, version: key.version });
    return false;
  }),
});

type GivenLabels = VerificationLabels | KeptLabels | undefined;

/** The labels that replace others; undefined where labels are kept. */
function replacing(labels: GivenLabels): VerificationLabels | undefined {
  return labels === undefined || labels.labels === null ? undefined : labels;
}

/** The labels of each verification, as they were given. */
const withLabels = (change: (labels: VerificationLabels) => VerificationLabels): Break =>
  commit.input(({ labels }) => {
    const replaced = replacing(labels);
    return { labels: replaced === undefined ? labels : change(replaced) };
  });

const lower = <Label extends IndexLabel>(label: Label): Label => ({ ...label, label: label.label.toLowerCase() });

/** Saves what a commit left out. */
const commitThenSave = (
  labelsOf: (given: VerificationLabels | undefined) => VerificationLabels | undefined,
): Break =>
  commit.override(async ({ next, storage }, change) => {
    const result = await next({ ...change, labels: undefined });
    const labels = labelsOf(replacing(change.labels));
    const { clientId, id: verificationId, version } = change.record;
    if (labels !== undefined) await storage.indexes.save({ clientId, verificationId }, labels, version);
    return result;
  });

const ownerOf = (storage: Storage, { verificationId }: { readonly verificationId: string }) =>
  storage.verifications.findForAnyClient(verificationId).catch(() => null);

const indexLabelsMutants: readonly Mutant[] = mutantsOf(indexLabelsSuite, {
  'stores no labels': withLabels((labels) => ({ ...labels, labels: [] })),
  'stores the first label alone': withLabels(({ labels, ...versions }) => ({
    ...versions,
    labels: labels.slice(0, 1),
  })),
  'ignores labels of a commit': commit.ignoring('labels')['ignores labels'] ?? fail('no such break'),
  'labels after the commit': commitThenSave((labels) => labels),
  'removes labels of a commit without labels': commit.override(async ({ next }, change) =>
    next({ ...change, labels: change.labels ?? { keyVersion: 1, rulesVersion: 1, labels: [] } }),
  ),
  'removes labels that are kept': commit.input(({ labels }) => ({
    labels: labels?.labels === null ? { ...labels, labels: [] } : labels,
  })),
  'ignores versions without labels': commit.input(({ labels }) => ({
    labels: labels?.labels === null ? undefined : labels,
  })),
  'takes purposes for one': find.override(async ({ next }, request) => {
    const all = request.labels.flatMap((label) => INDEX_PURPOSES.map((purpose) => ({ ...label, purpose })));
    return next({ ...request, labels: all });
  }),
  'finds labels in any case': both(
    withLabels(({ labels, ...versions }) => ({ ...versions, labels: labels.map(lower) })),
    find.override(async ({ next }, request) => {
      const found = await next({ ...request, labels: request.labels.map(lower) });
      return found.flatMap((match) => {
        const asked = request.labels.find(
          (one) => lower(one).label === match.label && one.purpose === match.purpose,
        );
        return asked === undefined ? [] : [{ ...match, label: asked.label }];
      });
    }),
  ),
  'stores a label for each time that it is given': find.result((found, { labels }) =>
    labels.length === 1 && labels[0]?.label === 'LABEL-_1' ? [...found, ...found] : found,
  ),
  'refuses a label that is given twice': commit.before(({ labels }) => {
    const names = replacing(labels)?.labels.map(({ purpose, label }) => `${purpose} ${label}`) ?? [];
    if (new Set(names).size < names.length) fail('the label is there already');
  }),
  'adds labels': remembering(() => {
    const before = new Map<string, readonly IndexLabel[]>();
    const add = (id: string, labels: VerificationLabels): VerificationLabels => {
      const all = [...(before.get(id) ?? []), ...labels.labels];
      before.set(id, all);
      return { ...labels, labels: all };
    };
    return both(
      commit.input(({ labels, record }) => {
        const replaced = replacing(labels);
        return { labels: replaced === undefined ? labels : add(record.id, replaced) };
      }),
      save.override(({ next }, place, labels, version) => next(place, add(place.verificationId, labels), version)),
    );
  }),
  'stores labels of a commit that conflicts': commit.override(async ({ next, storage }, change) => {
    const result = await next(change);
    const labels = replacing(change.labels);
    if (result.outcome === 'conflict' && labels !== undefined) {
      const { clientId, id: verificationId } = change.record;
      const owner = await ownerOf(storage, { verificationId });
      await storage.indexes.save({ clientId, verificationId }, labels, owner?.version ?? 0);
    }
    return result;
  }),
  'commits with labels of an unknown key': commit.override(async ({ next }, change) => {
    const result = await next(change);
    return result.outcome === 'committed' ? result : next({ ...change, labels: undefined });
  }),
  'takes the key of another client': commit.override(async ({ next }, change) =>
    next({ ...change, labels: change.labels && { ...change.labels, keyVersion: 1 } }),
  ),
  'throws for labels of an unknown key': commit.override(async ({ next }, change) => {
    const result = await next(change);
    return result.outcome === 'conflict' && change.labels?.keyVersion === 2 ? fail('no key') : result;
  }),
  'finds labels of any client': find.override(async ({ next, storage }, request) => {
    const all = await storage.clients.list();
    const of = (clientId: string) => request.labels.map((label) => ({ ...label, clientId }));
    const found = await Promise.all(all.map(({ client }) => next({ ...request, labels: of(client.id) })));
    return found.flat();
  }),
  'finds labels of the first client alone': find.input(({ labels }) => ({
    labels: labels.filter(({ clientId }) => clientId === labels[0]?.clientId),
  })),
  'throws for other ids of clients when it finds': find.before(({ labels }) => {
    for (const { clientId } of labels) uuidOnly(clientId);
  }),
  'throws for other ids that it leaves out': find.before(({ except }) => except === undefined || uuidOnly(except)),
  'leaves out no verification': find.input(() => ({ except: undefined })),
  'finds nothing where it leaves one out': find.override(async ({ next }, request) =>
    request.except === undefined ? next(request) : [],
  ),
  'ignores the limit': find.input(() => ({ limit: 100 })),
  'limits all labels together': find.override(async ({ next }, request) =>
    (await next(request)).slice(0, request.limit),
  ),
  'finds the earliest': find.override(async ({ next }, request) => {
    const all = await next({ ...request, limit: 100 });
    return request.labels.flatMap(({ purpose, label }) =>
      all
        .filter((match) => match.purpose === purpose && match.label === label)
        .toSorted((a, b) => (a.verificationId < b.verificationId ? -1 : 1))
        .slice(0, request.limit),
    );
  }),
  'limits before it leaves one out': find.override(async ({ next }, request) =>
    (await next({ ...request, except: undefined })).filter(
      ({ verificationId }) => verificationId !== request.except,
    ),
  ),
  'saves nothing': save.override(async () => true),
  'saves at any version': save.override(async ({ next, storage }, place, labels, _version) => {
    const owner = await ownerOf(storage, place);
    return next(place, labels, owner?.version ?? 0);
  }),
  'saves for any client': save.override(async ({ next, storage }, place, labels, version) => {
    const owner = await ownerOf(storage, place);
    return next({ ...place, clientId: owner?.clientId ?? place.clientId }, labels, version);
  }),
  'saves labels of an unknown key': save.override(({ next }, place, labels, version) =>
    next(place, { ...labels, keyVersion: 1 }, version),
  ),
  'throws for other ids when it saves': save.before(({ verificationId }) => uuidOnly(verificationId)),
  'throws for other ids of clients when it saves': save.before(({ clientId }) => uuidOnly(clientId)),
  'says that it saved': save.override(async ({ next }, place, labels, version) => {
    await next(place, labels, version);
    return true;
  }),
  'raises the version when it saves': save.override(async ({ next, storage }, place, labels, version) => {
    const isSaved = await next(place, labels, version);
    const record = await ownerOf(storage, place);
    if (isSaved && record !== null) {
      const change = { record: { ...record, version: record.version + 1 }, expectedVersion: record.version };
      await storage.verifications.commit({ ...change, events: [] });
    }
    return isSaved;
  }),
  'saves while the verification waits for its subject': save.override(
    async ({ next, storage }, place, labels, version) => {
      const isSaved = await next(place, labels, version);
      const record = await ownerOf(storage, place);
      if (isSaved || record?.clientId !== place.clientId || record.version !== version) return isSaved;
      if (labels.keyVersion !== 1 || record.erasedAt !== null) return isSaved;
      const change = { record, expectedVersion: version, events: [], labels };
      return (await storage.verifications.commit(change)).outcome === 'committed';
    },
  ),
  'refuses labels at once': save.oneAtATime(async () => false),
});

const erasedLabelsMutants: readonly Mutant[] = mutantsOf(erasedLabelsSuite, {
  'keeps the labels of erased verifications': remembering(() => {
    const kept: IndexLabel[] = [];
    let erased = '';
    return both(
      commit.before(({ labels }) => kept.push(...(labels?.labels ?? []))),
      retention.erase.before(({ erasure }) => {
        erased = erasure.verificationId;
      }),
      find.result((found, { labels }) => [
        ...found,
        ...labels
          .filter(({ label }) => erased !== '' && kept.some((one) => one.label === label))
          .map((label) => ({ ...label, verificationId: erased })),
      ]),
    );
  }),
  'removes the labels of all verifications': remembering(() => {
    let isErased = false;
    return both(
      retention.erase.before(() => {
        isErased = true;
      }),
      find.result((found) => (isErased ? [] : found)),
    );
  }),
  'removes the keys of the client': remembering(() => {
    let isErased = false;
    return both(
      retention.erase.before(() => {
        isErased = true;
      }),
      keys.result((found) => (isErased ? [] : found)),
    );
  }),
  'remembers that an erased verification was labelled': removeKey.override(async () => false),
  'removes a key that labels': removeKey.override(async () => true),
  'saves after the erasure': save.override(async ({ next, storage }, place, labels, version) => {
    const owner = await ownerOf(storage, place);
    return (await next(place, labels, version)) || owner?.erasureNumber !== null;
  }),
  'saves while an erasure is running': save.override(async ({ next, storage }, place, labels, version) => {
    const isSaved = await next(place, labels, version);
    return isSaved || (await ownerOf(storage, place))?.version === version;
  }),
});

/** Lists and counts others. */
const lists = (change: Parameters<typeof listBehind.override>[0]): Break =>
  both(
    listBehind.override(change),
    countBehind.override(
      async ({ storage }, request) =>
        (await storage.indexes.listBehind({ ...request, after: null, limit: 100 })).length,
    ),
  );

const behindMutants: readonly Mutant[] = mutantsOf(verificationsBehindSuite, {
  'lists nothing': listBehind.override(async () => []),
  'counts nothing': countBehind.override(async () => 0),
  'counts the verifications of all clients': countBehind.input(() => ({ clientId: undefined })),
  'lists the verifications of all clients': listBehind.input(() => ({ clientId: undefined })),
  'lists those of one client': listBehind.result((found) =>
    found.filter(({ clientId }) => clientId === found[0]?.clientId),
  ),
  'lists from the last': listBehind.result((found) => found.toReversed()),
  'lists by client': listBehind.result((found) => found.toSorted((a, b) => (a.clientId < b.clientId ? -1 : 1))),
  'ignores the limit': listBehind.input(() => ({ limit: 100 })),
  'begins from the first': listBehind.input(() => ({ after: null })),
  'skips one': listBehind.override(async ({ next }, request) =>
    (await next({ ...request, limit: request.limit + 1 })).slice(request.after === null ? 0 : 1),
  ),
  'throws for other ids of clients': listBehind.before(
    ({ clientId }) => clientId === undefined || uuidOnly(clientId),
  ),
  'counts none for other ids, or throws': countBehind.before(
    ({ clientId }) => clientId === undefined || uuidOnly(clientId),
  ),
  'lists what has no label': remembering(() => {
    const empty: string[] = [];
    return both(
      save.before(({ verificationId }, { labels }) => {
        if (labels.length === 0) empty.push(verificationId);
      }),
      listBehind.result((found) =>
        found.length === 0
          ? found
          : [...found, ...empty.map((id) => ({ clientId: found[0]?.clientId ?? '', verificationId: id }))],
      ),
    );
  }),
  'forgets that it labelled': save.override(async () => true),
  'ignores the key': both(
    addKey.override(async ({ next }, key) => key.version > 1 || next(key)),
    save.override(({ next }, place, labels, version) => next(place, { ...labels, keyVersion: 1 }, version)),
  ),
  'compares with the newest key of all clients': lists(async ({ next, storage }, request) => {
    const found = await next({ ...request, after: null, limit: 100 });
    const all = await storage.indexes.listKeysNotWrappedBy('', null, 100);
    const isNewer = all.some(({ version }) => version > 1);
    const second = isNewer
      ? await storage.verifications.findForAnyClient('aaaaaaaa-0000-7000-8000-000000000002')
      : null;
    return second === null ? found : [...found, { clientId: second.clientId, verificationId: second.id }];
  }),
  'ignores the rules': both(
    listBehind.input(() => ({ rulesVersion: 1 })),
    countBehind.input(() => ({ rulesVersion: 1 })),
  ),
  'expects exactly these rules': save.override(({ next }, place, labels, version) =>
    next(place, { ...labels, rulesVersion: labels.rulesVersion === 1 ? 1 : 0 }, version),
  ),
  'lists all submitted ones': lists(async ({ next, storage }, request) => {
    const found = await next(request);
    const more = await Promise.all(
      [4, 6].map((n) => storage.verifications.findForAnyClient(`aaaaaaaa-0000-7000-8000-00000000000${n}`)),
    );
    const added = more.flatMap((record) =>
      record === null || found.some(({ verificationId }) => verificationId === record.id) || more[1] === null
        ? []
        : [{ clientId: record.clientId, verificationId: record.id }],
    );
    return [...found, ...added];
  }),
});

export const INDEX_MUTANTS: readonly Mutant[] = [
  ...indexKeysMutants,
  ...indexLabelsMutants,
  ...erasedLabelsMutants,
  ...behindMutants,
];
