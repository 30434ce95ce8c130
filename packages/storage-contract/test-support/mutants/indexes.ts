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
import { type Break, both, fail, indexes, remembering, uuidOnly, verifications } from './patch.ts';

const { keys, addKey, find, save, listBehind } = indexes;
const { replaceKey } = indexes;
const { commit } = verifications;

const keyOf = async (storage: Storage, { clientId, version }: Pick<IndexKey, 'clientId' | 'version'>) =>
  (await storage.indexes.keys(clientId)).find((key) => key.version === version);

const indexKeysMutants: readonly Mutant[] = mutantsOf(indexKeysSuite, {
  'orders keys as text': keys.result((found) =>
    found.toSorted((a, b) => (`${a.version}` < `${b.version}` ? 1 : -1)),
  ),
  'replaces a key of the same version': addKey.override(async ({ next, storage }, key) => {
    const stored = await keyOf(storage, key);
    if (stored === undefined) return next(key);
    await storage.indexes.replaceKey(stored, key);
    return false;
  }),
  'replaces no plain key': replaceKey.override(async ({ next }, stored, given) =>
    stored.wrappedBy === null ? { outcome: 'conflict' } : next(stored, given),
  ),
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

const ownerOf = (storage: Storage, { verificationId }: { readonly verificationId: string }) =>
  storage.verifications.findForAnyClient(verificationId).catch(() => null);

const indexLabelsMutants: readonly Mutant[] = mutantsOf(indexLabelsSuite, {
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
  'refuses a label that is given twice': commit.before(({ labels }) => {
    const names = replacing(labels)?.labels.map(({ purpose, label }) => `${purpose} ${label}`) ?? [];
    if (new Set(names).size < names.length) fail('the label is there already');
  }),
  'throws for other ids that it leaves out': find.before(({ except }) => except === undefined || uuidOnly(except)),
  'limits all labels together': find.override(async ({ next }, request) =>
    (await next(request)).slice(0, request.limit),
  ),
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
  'saves while an erasure is running': save.override(async ({ next, storage }, place, labels, version) => {
    const isSaved = await next(place, labels, version);
    return isSaved || (await ownerOf(storage, place))?.version === version;
  }),
});

const behindMutants: readonly Mutant[] = mutantsOf(verificationsBehindSuite, {
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
});

export const INDEX_MUTANTS: readonly Mutant[] = [
  ...indexKeysMutants,
  ...indexLabelsMutants,
  ...erasedLabelsMutants,
  ...behindMutants,
];
