import type { EvidenceKind } from '../src/evidence/evidence-file.ts';
import { type SampledFields, sampleFilesOf, sampleOf } from '../src/fields/sample.ts';
import type { JsonObject } from '../src/input/json.ts';
import { currentFlow, type StepKey, type SubjectType, stepOf, stepsOf } from '../src/verification/flow.ts';

type ByStep<T> = Readonly<Partial<Record<StepKey, T>>>;

const document = { type: 'id_card', number: 'L01X00T47', expiresOn: '2031-05-31' };
const consent = { version: '2026-01', locale: 'de-DE' };

/** What tests expect and samples do not have: optional answers, letters of other scripts, numbers with check digits. */
const OWN: Readonly<Record<SubjectType, ByStep<JsonObject>>> = {
  kyc: {
    consent,
    person: {
      firstName: '小町',
      lastName: "O'Brien-Łukasz",
      dateOfBirth: '1990-02-28',
      placeOfBirth: { city: 'Kraków', country: 'PL' },
      nationalities: ['PL', 'JP'],
      email: 'komachi@example.org',
      phone: '+4915112345678',
    },
    address: { proofFileId: 'proof_of_address' },
    document,
  },
  kyb: {
    consent: { ...consent, representative: { firstName: 'Ada', lastName: 'Lovelace' } },
    business: {
      legalName: 'Müller & Söhne GmbH',
      tradingNames: [],
      lei: '529900T8BM49AURSDO55',
      website: 'https://example.org',
      activity: 'Machine tools',
    },
    representative: { document },
  },
};

const CONTEXT = { now: new Date('2026-03-01T10:00:00.000Z'), minimumAge: 18 };

function sampled(type: SubjectType, key: StepKey): SampledFields {
  const step = stepOf(currentFlow(type), key);
  if (step === null) throw new Error(`There is no step ${key}`);
  return { fields: step.fields, sample: (context) => ({ ...step.sample?.(context), ...OWN[type][key] }) };
}

function ofSteps<T>(type: SubjectType, of: (step: SampledFields) => T): ByStep<T> {
  return Object.fromEntries(stepsOf(currentFlow(type)).map((key) => [key, of(sampled(type, key))]));
}

const answersTo = (type: SubjectType): ByStep<JsonObject> =>
  ofSteps(type, (step) => sampleOf(step, { ...CONTEXT, fileIdOf: (kind) => kind }));

/** Test data: valid answers to every step. File ids are named after the file's kind. */
export const GOOD_ANSWERS: Readonly<Record<SubjectType, ByStep<JsonObject>>> = {
  kyc: answersTo('kyc'),
  kyb: answersTo('kyb'),
};

const filesFor = (step: SampledFields): readonly EvidenceKind[] => sampleFilesOf(step, CONTEXT);

/** The files that the valid answers to each step name. */
export const FILES_NEEDED: ByStep<readonly EvidenceKind[]> = {
  ...ofSteps('kyc', filesFor),
  ...ofSteps('kyb', filesFor),
};
