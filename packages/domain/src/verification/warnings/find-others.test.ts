import { describe, expect, it } from 'vitest';
import { portWith } from '../../../test-support/port-with.ts';
import { NOW, pending, submitted } from '../../../test-support/verifications.ts';
import { CountersignError, VerificationFault } from '../../errors.ts';
import type { TermMatch } from '../../matching/index-labels.ts';
import type { IndexPurpose } from '../../matching/index-terms.ts';
import { BUILT_IN_FLOWS } from '../flow.ts';
import type { Verification } from '../verification.ts';
import { toRecord, type VerificationRecord } from '../verification-record.ts';
import type { VerificationRepository } from '../verification-repository.ts';
import { createFindOthers, createFindSharing, createSharesNothing, OTHERS_MAX } from './find-others.ts';

const OWN = { ...submitted(), id: 'own' };

/** Matches of one thing, the latest first. */
const matches = (purpose: IndexPurpose, ids: readonly string[]): TermMatch[] =>
  ids.map((verificationId) => ({ term: { purpose, text: purpose }, clientId: 'client', verificationId }));

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

const unavailable = (cause: Error) => new CountersignError('SERVICE_UNAVAILABLE', undefined, { cause });

interface Given {
  readonly matches?: readonly TermMatch[];
  readonly sameReference?: readonly VerificationRecord[];
  readonly onList?: (limit: number) => void;
  /** How a case is stored, unless it is submitted. */
  readonly stored?: Readonly<Record<string, () => VerificationRecord | null>>;
}

async function others(
  { matches: found = [], sameReference = [], onList = () => undefined, stored = {} }: Given,
  verification: Verification = OWN,
) {
  const faults: unknown[] = [];
  const read: string[] = [];
  const verifications: Partial<VerificationRepository> = {
    list: async (_clientId, { limit }) => {
      onList(limit);
      return { records: sameReference.slice(0, limit), totalCount: sameReference.length };
    },
    find: async (_clientId, id) => {
      read.push(id);
      return (stored[id] ?? (() => toRecord({ ...submitted(), id })))();
    },
  };
  const findOthers = createFindOthers({
    flows: BUILT_IN_FLOWS,
    onFault: (fault) => void faults.push(fault),
    verifications: portWith<VerificationRepository>(verifications),
    indexLabels: {
      findMatches: async ({ terms }) => {
        const asked = new Set([...terms.values()].flat().map(({ text }) => text.split(' ', 1)[0]));
        const isFraud = asked.has('suspected_fraud');
        const matches = found.filter(({ term }) => isFraud === term.text.startsWith('suspected_fraud'));
        return { matches, unreadable: new Set() };
      },
    },
  });
  const ids = (await findOthers(verification)).map(({ id }) => id);
  return { ids, faults, read };
}

describe('finding other cases', () => {
  it('finds those that share something and those of the reference, each once, and not the case itself', async () => {
    const earlier = toRecord({ ...submitted(), id: 'earlier' });
    const { ids, read } = await others({
      matches: [...matches('document_number', ['a', 'earlier']), ...matches('person', ['a', 'b'])],
      sameReference: [toRecord(OWN), earlier],
    });
    expect([...ids].sort()).toEqual(['a', 'b', 'earlier']);
    expect([...read].sort()).toEqual(['a', 'b']);
  });

  it('find others: lists no verifications of the reference if there is only one', async () => {
    const limits: number[] = [];
    const onList = (limit: number) => void limits.push(limit);
    const { ids, faults } = await others({ sameReference: [toRecord(OWN)], onList });
    expect([ids, limits, faults]).toEqual([[], [0], []]);
  });

  it(`find others: finds ${OTHERS_MAX} of the reference beside the case itself`, async () => {
    const earlier = numbered('earlier', OTHERS_MAX + 1).map((id) => toRecord({ ...submitted(), id }));
    expect((await others({ sameReference: [toRecord(OWN), ...earlier] })).ids).toHaveLength(OTHERS_MAX);
  });

  it('find others: looks for rejections for fraud only if more cases share something than can be compared', async () => {
    const fraud: TermMatch = {
      term: { purpose: 'person', text: 'suspected_fraud reference user_1' },
      clientId: 'client',
      verificationId: 'fraud',
    };
    const few = matches('document_number', numbered('few', OTHERS_MAX - 1));
    expect((await others({ matches: [...few, fraud] })).ids).not.toContain('fraud');
    const many = matches('document_number', numbered('many', OTHERS_MAX));
    expect((await others({ matches: [...many, fraud] })).ids).toContain('fraud');
  });

  it('lists the latest first', async () => {
    const older = { ...submitted(), id: 'older', requestedAt: new Date(NOW.getTime() - 1) };
    const found = matches('person', ['older', 'newer']);
    expect((await others({ matches: found, stored: { older: () => toRecord(older) } })).ids).toEqual([
      'newer',
      'older',
    ]);
  });

  it(`reads at most ${OTHERS_MAX}, however many share something`, async () => {
    const found = [
      ...matches('email', numbered('agent', 5_000)),
      ...matches('document_number', numbered('document', 5_000)),
    ];
    expect((await others({ matches: found })).read).toHaveLength(OTHERS_MAX);
  });

  it('find others: the last place is not for a case that shares the weakest thing', async () => {
    const purposes = ['email', 'document_number', 'person'] as const;
    const { read } = await others({
      matches: purposes.flatMap((purpose) => matches(purpose, numbered(purpose, 7))),
    });
    expect(read.slice(-2)).toEqual(['document_number-6', 'person-6']);
  });

  it('many cases with one contact leave room for each other thing', async () => {
    const { ids } = await others({
      matches: [
        ...matches('email', numbered('agent', OTHERS_MAX)),
        ...matches('phone', numbered('office', OTHERS_MAX)),
        ...matches('document_number', ['document']),
        ...matches('file', ['file']),
      ],
      sameReference: numbered('earlier', OTHERS_MAX).map((id) => toRecord({ ...submitted(), id })),
    });
    expect(ids).toEqual(expect.arrayContaining(['document', 'file', 'earlier-0', 'agent-0', 'office-0']));
    expect(ids).toHaveLength(OTHERS_MAX);
  });

  it('find others: cases that were rejected for fraud come before all others, however many there are', async () => {
    const fraud: TermMatch = {
      term: { purpose: 'document_number', text: 'suspected_fraud DE C01X00T47' },
      clientId: 'client',
      verificationId: 'fraud',
    };
    const { ids } = await others({
      matches: [
        ...matches('document_number', ['a', ...numbered('later', OTHERS_MAX)]),
        ...matches('person', numbered('person', OTHERS_MAX)),
        fraud,
      ],
    });
    expect(ids).toHaveLength(OTHERS_MAX);
    expect(ids).toEqual(expect.arrayContaining(['fraud', 'a', 'person-0']));
  });

  it('leaves out cases that were never submitted, that are hidden or erased, and that are gone', async () => {
    const found = matches('person', ['pending', 'hidden', 'erased', 'gone', 'shown']);
    const stored = {
      pending: () => toRecord({ ...pending(), id: 'pending' }),
      hidden: () => toRecord({ ...submitted(), id: 'hidden', erasureRequestedAt: NOW }),
      erased: () => toRecord({ ...submitted(), id: 'erased', erasedAt: NOW }),
      gone: () => null,
    };
    expect(await others({ matches: found, stored })).toMatchObject({ ids: ['shown'], faults: [] });
  });

  it.each([
    ['are damaged', new Error('damaged')],
    ['have a secret that is missing', unavailable(new VerificationFault('unknown key'))],
  ])('reports cases that %s, and finds the rest', async (_, fault) => {
    const damaged = () => {
      throw fault;
    };
    const found = matches('person', ['damaged', 'shown']);
    const { ids, faults } = await others({ matches: found, stored: { damaged } });
    expect({ ids, faults }).toEqual({ ids: ['shown'], faults: [fault] });
  });

  it('an outage while another case is read finds no incomplete list', async () => {
    const fault = unavailable(new Error('no connection'));
    const slow = () => {
      throw fault;
    };
    const found = matches('person', ['slow', 'shown']);
    await expect(others({ matches: found, stored: { slow } })).rejects.toBe(fault);
  });

  it('finds none for a case whose own data are hidden', async () => {
    const hidden = { ...OWN, erasureRequestedAt: NOW };
    expect((await others({ matches: matches('person', ['a']) }, hidden)).ids).toEqual([]);
  });
});

describe('sharing nothing', () => {
  const sharesNothing = (found: readonly string[], sameReference: number, versions: readonly number[]) =>
    createSharesNothing({
      verifications: portWith<VerificationRepository>({
        list: async () => ({ records: [], totalCount: sameReference }),
      }),
      indexes: {
        find: async ({ labels }) =>
          labels.flatMap((label) => (found.includes(label.label) ? [{ ...label, verificationId: 'other' }] : [])),
        keys: async (clientId) => versions.map((version) => ({ clientId, version, value: '', wrappedBy: null })),
      },
    })(OWN, { keyVersion: 1, rulesVersion: 1, labels: [{ purpose: 'email', label: 'own' }] });

  it.each([
    ['true if no other case has its labels or its reference', [], 1, [1], true],
    ['false if another case has one of its labels', ['own'], 1, [1], false],
    ['false if another case has its reference', [], 2, [1], false],
    ['false if a case may be labelled by another key of the client', [], 1, [2, 1], false],
    ['false if the key of its labels was replaced', [], 1, [2], false],
  ] as const)('sharesNothing: %s', async (_, found, sameReference, versions, expected) => {
    expect(await sharesNothing(found, sameReference, versions)).toBe(expected);
  });
});

it('findSharing: finds cases with the same document, person or file, and the latest of the reference', async () => {
  const asked = new Set<string>();
  const list: VerificationRepository['list'] = async () => ({
    records: [toRecord({ ...submitted(), id: 'latest' })],
    totalCount: 3,
  });
  const findSharing = createFindSharing({
    verifications: portWith<VerificationRepository>({ list }),
    indexLabels: {
      findMatches: async ({ terms }) => {
        for (const { purpose } of [...terms.values()].flat()) asked.add(purpose);
        return { matches: matches('person', ['a', 'b']), unreadable: new Set() };
      },
    },
  });
  expect([...(await findSharing(OWN))]).toEqual(['a', 'b', 'latest']);
  expect([...asked].sort()).toEqual(['document_number', 'file', 'person']);
});
