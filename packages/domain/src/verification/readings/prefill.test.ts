import { expect, it, test } from 'vitest';
import { aReading, attachedTo } from '../../../test-support/readings.ts';
import { NOW, pending } from '../../../test-support/verifications.ts';
import { stepOf } from '../flow.ts';
import { prefillOf } from './prefill.ts';
import { joinReadings, readDocumentSoFar } from './read-document.ts';
import { readingStates } from './reading-state.ts';
import { sampleReading } from './sample-reading.ts';

const READ = {
  documentNumber: 'L01X00T47',
  dateOfBirth: '1964-08-12',
  expiresOn: '2031-01-01',
  nationality: 'DE',
  lastName: 'MUSTERMANN',
  firstName: 'ANNA-LENA',
};
const fieldsOf = (step: 'person' | 'document') => stepOf(pending().flow, step)?.fields ?? {};
const prefilled = (readings: readonly ReturnType<typeof aReading>[]) => ({
  ...Object.fromEntries(prefillOf(fieldsOf('document'), joinReadings(readings))),
  ...Object.fromEntries(prefillOf(fieldsOf('person'), joinReadings(readings))),
});

it('fills in what was read; sure values are offered as read, names in proposed case are not', () => {
  expect(prefilled([aReading(READ)])).toEqual({
    number: { value: 'L01X00T47', isSure: true },
    expiresOn: { value: '2031-01-01', isSure: true },
    firstName: { value: 'Anna-Lena', isSure: false },
    lastName: { value: 'Mustermann', isSure: false },
    dateOfBirth: { value: '1964-08-12', isSure: true },
    nationalities: { value: ['DE'], isSure: true },
  });
});

it('fills in a value that is not sure without offering it as read', () => {
  const fields = { documentNumber: { value: 'L01', sure: false } };
  expect(prefilled([aReading({}, { fields })])).toEqual({ number: { value: 'L01', isSure: false } });
});

it('offers nothing as read of two pictures that are sure of different documents', () => {
  const other = aReading({ ...READ, documentNumber: 'K77X00T47' }, { fileId: 'document_back' });
  const { isContradictory, fields } = joinReadings([aReading(READ), other]);
  expect(isContradictory).toBe(true);
  expect(Object.values(fields).filter(({ sure }) => sure)).toEqual([]);
  expect(joinReadings([aReading(READ), aReading({ expiresOn: '2031-01-01' })])).toMatchObject({
    isContradictory: false,
    fields: { documentNumber: { sure: true }, expiresOn: { sure: true } },
  });
});

it('fills in nothing that was read while the client kept readings for reviewers', () => {
  expect(prefilled([aReading(READ, { isOffered: false })])).toEqual({});
  expect(prefilled([])).toEqual({});
});

it('leaves out a value that fails the rule of its field', () => {
  const field = { number: { kind: 'text', max: 3, readAs: 'documentNumber' } } as const;
  expect(prefillOf(field, joinReadings([aReading(READ)])).size).toBe(0);
});

test('the forms after a picture are filled in from the pictures in the answers so far', () => {
  const front = attachedTo(pending(), 'document_front');
  expect(readDocumentSoFar(front, [aReading(READ)]).fields.documentNumber?.value).toBe('L01X00T47');
  expect(readDocumentSoFar(front, [aReading(READ, { fileId: 'replaced' })]).fields).toEqual({});
});

test('a document is awaited for a moment after a picture, then late, read or unread', () => {
  const front = attachedTo(pending(), 'document_front');
  const state = (readings: readonly ReturnType<typeof aReading>[], ms = 0, isOn = true) =>
    readingStates(front, readings, { now: new Date(NOW.getTime() + ms), isOn });
  expect(state([], 3999)).toEqual([{ step: 'document', state: 'awaited' }]);
  expect(state([], 4000)).toEqual([{ step: 'document', state: 'late' }]);
  expect(state([], 0, false)).toEqual([{ step: 'document', state: 'unread' }]);
  expect(state([aReading(READ)])).toEqual([{ step: 'document', state: 'read' }]);
  for (const outcome of ['nothing', 'failed', 'off'] as const) {
    expect(state([aReading({}, { outcome })])).toEqual([{ step: 'document', state: 'unread' }]);
  }
  expect(readingStates(pending(), [], { now: NOW, isOn: true })).toEqual([]);
});

test('a document of two pictures is read once one is, and awaited while another may come', () => {
  const both = attachedTo(attachedTo(pending(), 'document_front'), 'document_back');
  const state = (...readings: ReturnType<typeof aReading>[]) =>
    readingStates(both, readings, { now: NOW, isOn: true })[0]?.state;
  const back = aReading(READ, { fileId: 'document_back' });
  const nothing = aReading({}, { outcome: 'nothing' });
  expect([state(), state(nothing), state(back), state(aReading(READ)), state(nothing, back)]).toEqual([
    'awaited',
    'awaited',
    'read',
    'read',
    'read',
  ]);
});

test('the fixed reading of test mode says what sample answers say', () => {
  const context = { now: NOW, minimumAge: 18, asks: { placeOfBirth: false, proofOfAddress: false } };
  const reading = sampleReading(pending(), context);
  expect(reading).toMatchObject({
    outcome: 'read',
    readerVersion: 'test',
    type: 'passport',
    issuer: 'DE',
    digitsFit: true,
    fields: {
      documentNumber: { sure: true },
      expiresOn: { value: '2031-01-01', sure: true },
      nationality: { value: 'DE', sure: true },
      lastName: { value: 'Sample', sure: false },
      firstName: { value: 'Sandbox', sure: false },
    },
  });
  expect(sampleReading(pending('kyb'), context).fields).toMatchObject({ lastName: { value: 'Sample' } });
});
