import { CountersignError, invalidParameters } from '../errors.ts';
import type { Fields } from '../fields/field.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import { type IndexLabels, indexedTerms } from '../matching/index-labels.ts';
import { type IndexTerm, termsOfFamilyName, termsOfNumber } from '../matching/index-terms.ts';
import { isReference, shownReference, termsOfShownReference } from '../matching/reference-terms.ts';
import { termsOfFullName } from '../matching/search-terms.ts';
import type { Client } from '../subscription/client-repository.ts';
import type { IndexesFamilyNames } from '../subscription/flow-rules.ts';
import type { BasePorts } from './base-ports.ts';
import { REVIEW_EVENT_TYPES } from './endings.ts';
import { SUBJECT_REFERENCE_MAX } from './new-verification.ts';
import { newestOfReference } from './newest-of-reference.ts';
import { createReadSubject, type QueueSubjectView, readInParts } from './queue-subjects.ts';
import { createQueueItems, type ReviewQueueItem } from './review-queue.ts';
import { readShortReference, shortReference } from './short-reference.ts';
import type { VerificationRecord } from './verification-record.ts';
import type { VerificationWithEvents } from './verification-repository.ts';

/** What reviewers search for. */
export interface CaseSearch {
  /**
   * A client's reference, an id, a short reference, a document's number, or a family name where the client indexes it; with `birthDate` a
   * full name.
   */
  readonly query: string;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string | undefined;
  /** Needed if there are more clients than `SEARCHED_CLIENTS_MAX`, unless an id or a short reference is searched for. */
  readonly clientId?: string | undefined;
}

/** Fields of `CaseSearch`. */
export const caseSearchFields: Fields<CaseSearch> = {
  query: { kind: 'text', max: SUBJECT_REFERENCE_MAX },
  birthDate: { kind: 'date', optional: true },
  clientId: { kind: 'id', optional: true },
};

const schema = typedSchemaOf<CaseSearch>(caseSearchFields);

/** Most clients that are searched at a time: each has an index of its own. */
export const SEARCHED_CLIENTS_MAX = 50;

/** How many verifications a search shows at most: the newest. */
export const FOUND_CASES_MAX = 50;

/** Who decided a case, and when. */
export interface CaseDecision {
  readonly at: Date;
  /** Null if it ended without a review, or if its data is damaged. */
  readonly reviewerId: string | null;
}

/** A case that a search found. */
export interface FoundCase extends ReviewQueueItem {
  readonly subject: QueueSubjectView;
  /** Null while it is not decided. */
  readonly decision: CaseDecision | null;
}

/** The result of a search. */
export interface FoundCases {
  /** The newest `FOUND_CASES_MAX`, the newest first. */
  readonly items: readonly FoundCase[];
  /** Whether there are more. */
  readonly hasMore: boolean;
  /**
   * Clients whose index key cannot be read: their cases are found by reference and id only. `countersign doctor` names the command that
   * repairs the index.
   */
  readonly incompleteFor: readonly Pick<Client, 'id' | 'name'>[];
}

/** Finds cases for reviewers. */
export interface SearchCases {
  /**
   * Finds cases of any status, without those of test mode unless the client is a test twin, or an id or a short reference names one. Only
   * equal values match, as the index folds them. Unseals those that it returns, each on its own: a damaged one keeps its place.
   * @throws CountersignError `INVALID_PARAMETERS`, `CLIENT_NOT_FOUND`
   */
  search(input: CaseSearch): Promise<FoundCases>;
}

/** Where a case is. */
interface Place {
  readonly id: string;
  readonly clientId: string;
  /** Whether it was found by its data alone, so that a row would tell whose hidden data it has. */
  readonly isFoundByData?: true;
}

interface FoundPlaces extends Pick<FoundCases, 'incompleteFor'> {
  readonly places: readonly Place[];
}

/** One more than is shown tells whether there are more. */
const LIMIT = FOUND_CASES_MAX + 1;

export function createSearchCases(
  ports: Pick<BasePorts, 'clients' | 'flows' | 'onFault' | 'verifications'> & {
    readonly indexLabels: Pick<IndexLabels, 'findMatches'>;
    readonly indexesFamilyNames: IndexesFamilyNames;
  },
): SearchCases {
  const { clients, indexLabels, indexesFamilyNames, verifications } = ports;
  const readSubject = createReadSubject(ports);
  const itemsOf = createQueueItems(ports);

  /** Returns null if there are too many clients. */
  async function searchedClients(clientId: string | undefined): Promise<readonly Client[] | null> {
    if (clientId !== undefined) {
      const found = await clients.find(clientId);
      if (found === null) throw new CountersignError('CLIENT_NOT_FOUND');
      return [found.client];
    }
    const limit = SEARCHED_CLIENTS_MAX + 1;
    const { entries } = await clients.search({ namePrefix: '', after: undefined, limit, countUpTo: limit });
    return entries.length < limit ? entries.map(({ client }) => client) : null;
  }

  async function findByIds(text: string, clientId: string | undefined): Promise<readonly Place[]> {
    const reference = readShortReference(text);
    const [owner, referenced] = await Promise.all([
      verifications.clientOf(text),
      reference === null ? [] : verifications.findByShortReference({ reference, clientId, limit: LIMIT }),
    ]);
    const withId = owner === null || (clientId ?? owner) !== owner ? [] : [{ id: text, clientId: owner }];
    return [...withId, ...referenced];
  }

  async function findByTerms(searched: readonly Client[], terms: readonly IndexTerm[]): Promise<FoundPlaces> {
    // A family name alone is looked for where the client indexes it.
    const ofClients = await Promise.all(
      searched.map(
        async (client) => [client.id, await indexedTerms(terms, () => indexesFamilyNames(client))] as const,
      ),
    );
    const { matches, unreadable } = await indexLabels.findMatches({ terms: new Map(ofClients), limit: LIMIT });
    const places = matches.map(
      ({ verificationId: id, clientId, term }): Place =>
        isReference(term) ? { id, clientId } : { id, clientId, isFoundByData: true },
    );
    return { places, incompleteFor: searched.filter(({ id }) => unreadable.has(id)) };
  }

  async function findByReference(
    searched: readonly Client[],
    subjectReference: string,
  ): Promise<readonly Place[]> {
    const ids = searched.map(({ id }) => id);
    const having = await verifications.clientsWithReference(subjectReference, ids);
    const found = await readInParts(having, (clientId) =>
      newestOfReference(verifications, { clientId, subjectReference }, LIMIT),
    );
    return found.flat();
  }

  async function find({ query, birthDate, clientId }: CaseSearch): Promise<FoundPlaces> {
    const searched = await searchedClients(clientId);
    if (birthDate !== undefined) {
      if (searched === null) throw tooManyClients();
      return findByTerms(searched, termsOfFullName(query, birthDate));
    }
    const withIds = await findByIds(query, clientId);
    if (searched === null) {
      if (withIds.length === 0) throw tooManyClients();
      return { places: withIds, incompleteFor: [] };
    }
    const reference = shownReference(query);
    const terms = [...termsOfNumber(query), ...termsOfFamilyName(query), ...termsOfShownReference(reference)];
    const [byTerms, named] = await Promise.all([
      findByTerms(searched, terms),
      findByReference(searched, reference),
    ]);
    return { ...byTerms, places: [...byTerms.places, ...named, ...withIds] };
  }

  /** Reads a found case; null if it is gone, or if the data by which it was found is hidden. */
  async function read({ id, clientId, isFoundByData }: Place): Promise<Found | null> {
    const history = verifications.findWithHistory(clientId, id);
    const subject = await readSubject(id, async () => (await history)?.record ?? null);
    if (subject === null || (subject.state === 'hidden' && isFoundByData === true)) return null;
    // `readSubject` reported why it cannot be read.
    const { record = await findUnsealed(id), events = [] } = (await history.catch(() => null)) ?? {};
    return record === undefined ? null : { subject, record, decision: decisionOf({ record, events }) };
  }

  /** Reads the columns of a verification whose data cannot be read. */
  async function findUnsealed(id: string): Promise<VerificationRecord | undefined> {
    const records = await verifications.findByShortReference({ reference: shortReference(id), limit: LIMIT });
    return records.find((record) => record.id === id);
  }

  return {
    async search(input) {
      const { places: all, incompleteFor } = await find(parseInput(schema(), input));
      const places = newestFirst(all);
      const found = (await readInParts(places.slice(0, FOUND_CASES_MAX), read)).filter((one) => one !== null);
      const items = await itemsOf(found.map(({ record }) => record));
      return {
        items: found.flatMap(({ record: _, ...view }, index) => {
          const item = items[index];
          return item === undefined ? [] : [{ ...item, ...view }];
        }),
        hasMore: places.length > FOUND_CASES_MAX,
        incompleteFor: incompleteFor.map(({ id, name }) => ({ id, name })),
      };
    },
  };
}

interface Found extends Pick<FoundCase, 'subject' | 'decision'> {
  readonly record: VerificationRecord;
}

/** Ids are in the order of their creation. Of places with one id, the last counts. */
function newestFirst(places: readonly Place[]): readonly Place[] {
  const unique = [...new Map(places.map((place) => [place.id, place])).values()];
  return unique.sort((a, b) => (a.id < b.id ? 1 : -1));
}

function decisionOf({ record: { resolvedAt }, events }: VerificationWithEvents): CaseDecision | null {
  if (resolvedAt === null) return null;
  const decided = events.find(({ type }) => REVIEW_EVENT_TYPES.includes(type));
  return { at: resolvedAt, reviewerId: decided?.actor.id ?? null };
}

function tooManyClients(): CountersignError {
  const message = `is required: there are more than ${SEARCHED_CLIENTS_MAX} clients`;
  return invalidParameters([{ path: 'clientId', message, code: 'required' }]);
}
