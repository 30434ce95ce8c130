import type { EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';
import {
  evidenceAtOnceSuite,
  evidenceFilesSuite,
  evidenceListSuite,
  evidenceOfVerificationSuite,
} from '../../src/suites/evidence.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { fail, roundTrip } from './patch.ts';

type Break = (sound: EvidenceStore) => EvidenceStore;

const keyOf = ({ clientId, verificationId, fileId }: EvidencePlace): string =>
  `${clientId} ${verificationId} ${fileId}`;

/** Changes every place before the sound store sees it. */
const movesPlaces =
  (move: (place: EvidencePlace) => Partial<EvidencePlace>): Break =>
  (store) => ({
    ...store,
    put: (place, content) => store.put({ ...place, ...move(place) }, content),
    get: (place) => store.get({ ...place, ...move(place) }),
    delete: (place) => store.delete({ ...place, ...move(place) }),
  });

const puts =
  (put: (store: EvidenceStore, ...given: Parameters<EvidenceStore['put']>) => Promise<void>): Break =>
  (store) => ({ ...store, put: (...given) => put(store, ...given) });
const gets =
  (get: (content: Uint8Array | null, place: EvidencePlace) => Uint8Array | null): Break =>
  (store) => ({ ...store, get: async (place) => get(await store.get(place), place) });
const lists =
  (list: (store: EvidenceStore, moment: Date) => AsyncIterable<EvidencePlace>): Break =>
  (store) => ({ ...store, listWrittenBefore: (moment) => list(store, moment) });

const listsFilesOf =
  (
    list: (store: EvidenceStore, of: Parameters<EvidenceStore['filesOf']>[0]) => Promise<readonly EvidencePlace[]>,
  ): Break =>
  (store) => ({ ...store, filesOf: (of) => list(store, of) });

async function wholeList(store: EvidenceStore, moment: Date): Promise<EvidencePlace[]> {
  const places: EvidencePlace[] = [];
  for await (const place of store.listWrittenBefore(moment)) places.push(place);
  return places;
}

/** Deletes all files of a place's verification. */
async function deleteAll(store: EvidenceStore, { verificationId }: EvidencePlace): Promise<void> {
  for (const each of await wholeList(store, new Date('2200-01-01'))) {
    if (each.verificationId === verificationId) await store.delete(each);
  }
}

export const EVIDENCE_MUTANTS: readonly Mutant<EvidenceStore>[] = [
  ...mutantsOf(evidenceFilesSuite, {
    'truncates files at a million bytes': puts((store, place, content) =>
      store.put(place, content.slice(0, 1_000_000)),
    ),
    'stores seven bits of each byte': puts((store, place, content) =>
      store.put(
        place,
        content.map((byte) => byte & 127),
      ),
    ),
    'returns null for an empty file': gets((content) => (content?.length === 0 ? null : content)),
    'returns an empty file for none': gets((content) => content ?? new Uint8Array()),
    'looks at the file id only': movesPlaces(() => ({ clientId: 'c', verificationId: 'v' })),
    'ignores the client id': movesPlaces(() => ({ clientId: 'c' })),
    'ignores the verification id': movesPlaces(() => ({ verificationId: 'v' })),
    'joins ids without a separator': movesPlaces(({ clientId, verificationId, fileId }) => ({
      clientId: 'c',
      verificationId: 'v',
      fileId: clientId + verificationId + fileId,
    })),
    'stores the whole underlying buffer': puts((store, place, content) =>
      store.put(place, new Uint8Array(content.buffer)),
    ),
    'replaces an existing file': puts(async (store, place, content) => {
      await store.delete(place);
      await store.put(place, content);
    }),
    'ignores a second file silently': puts((store, place, content) =>
      store.put(place, content).catch(() => undefined),
    ),
    'accepts the same content twice': puts(async (store, place, content) => {
      const stored = await store.get(place);
      if (stored === null || Buffer.compare(stored, content) !== 0) await store.put(place, content);
    }),
    'stores the given buffer without a copy': (store) => {
      const held = new Map<string, Uint8Array>();
      return {
        ...store,
        put: async (place, content) => {
          await store.put(place, content);
          held.set(keyOf(place), content);
        },
        get: async (place) => (await store.get(place)) && (held.get(keyOf(place)) ?? null),
      };
    },
    'returns its own buffer without a copy': (store) => {
      const held = new Map<string, Uint8Array>();
      return gets((content, place) => {
        if (content !== null) held.set(keyOf(place), held.get(keyOf(place)) ?? content);
        return content && (held.get(keyOf(place)) ?? null);
      })(store);
    },
    'deletes all files of the verification': (store) => ({ ...store, delete: (place) => deleteAll(store, place) }),
    'deletes nothing': (store) => ({ ...store, delete: async () => undefined }),
    'fails to delete a missing file': (store) => ({
      ...store,
      delete: async (place) => ((await store.get(place)) === null ? fail('ENOENT') : store.delete(place)),
    }),
  }),
  ...mutantsOf(evidenceListSuite, {
    'fails on an empty list': lists(async function* (store, moment) {
      const places = await wholeList(store, moment);
      yield* places.length === 0 ? fail('ENOENT') : places;
    }),
    'lists files of the first client only': lists(async function* (store, moment) {
      for (const place of await wholeList(store, moment)) if (place.clientId === 'client-1') yield place;
    }),
    'lists files twice': lists(async function* (store, moment) {
      for (const place of await wholeList(store, moment)) yield* [place, place];
    }),
    'ignores the moment': lists(async function* (store) {
      yield* await wholeList(store, new Date('2200-01-01'));
    }),
    'lists deleted files': (store) => {
      const written: EvidencePlace[] = [];
      return {
        ...store,
        put: async (place, content) => {
          await store.put(place, content);
          written.push(place);
        },
        listWrittenBefore: async function* (moment) {
          yield* moment > new Date() ? written : [];
        },
      };
    },
    'skips a file after each deletion': lists(async function* (store, moment) {
      for (let index = 0; ; index += 1) {
        const place = (await wholeList(store, moment))[index];
        if (place === undefined) return;
        yield place;
      }
    }),
  }),
  ...mutantsOf(evidenceOfVerificationSuite, {
    'fails for a verification without files': listsFilesOf(async (store, of) => {
      const places = await store.filesOf(of);
      return places.length === 0 ? fail('ENOENT') : places;
    }),
    'lists no files': listsFilesOf(async () => []),
    'lists the first file only': listsFilesOf(async (store, of) => (await store.filesOf(of)).slice(0, 1)),
    'lists files of the verification id under any client': listsFilesOf(async (store, { verificationId }) =>
      (await wholeList(store, new Date('2200-01-01'))).filter((place) => place.verificationId === verificationId),
    ),
    'lists files of ids that begin alike': listsFilesOf(async (store, { clientId, verificationId }) =>
      (await wholeList(store, new Date('2200-01-01'))).filter(
        (place) => place.clientId === clientId && place.verificationId.startsWith(verificationId),
      ),
    ),
    'lists the files it saw first': (store) => {
      const seen = new Map<string, readonly EvidencePlace[]>();
      return listsFilesOf(async (sound, of) => {
        const key = keyOf({ ...of, fileId: '' });
        seen.set(key, seen.get(key) ?? (await sound.filesOf(of)));
        return seen.get(key) ?? [];
      })(store);
    },
  }),
  ...mutantsOf(evidenceAtOnceSuite, {
    'reads, then writes': puts(async (store, place, content) => {
      if ((await store.get(place)) !== null) fail('EEXIST');
      await roundTrip();
      await store.put(place, content).catch(() => undefined);
    }),
    'refuses all concurrent writes to one place': (store) => {
      const pending = new Map<string, number>();
      return puts(async (_, place, content) => {
        const key = keyOf(place);
        pending.set(key, (pending.get(key) ?? 0) + 1);
        await roundTrip();
        if ((pending.get(key) ?? 0) > 1) fail('busy');
        await store.put(place, content);
      })(store);
    },
    'removes a folder with a file put meanwhile': (store) => ({
      ...store,
      delete: async (place) => {
        await store.delete(place);
        void Promise.resolve().then(() => deleteAll(store, place));
      },
    }),
    'returns a file before it is complete': (store) => {
      const parts = new Map<string, Uint8Array>();
      return {
        ...store,
        put: async (place, content) => {
          parts.set(keyOf(place), content.slice(0, content.length / 2));
          await roundTrip();
          parts.delete(keyOf(place));
          await store.put(place, content);
        },
        get: async (place) => parts.get(keyOf(place)) ?? store.get(place),
      };
    },
  }),
];
