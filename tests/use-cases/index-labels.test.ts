import { reviewAs } from '@countersign/test-support/service/operations';
import { givenClient } from '@countersign/test-support/service/service';
import { expect, it, test } from 'vitest';
import { entriesIn, givenAnswers, givenLabelled, givenSubmitted, labelsOf, sealing } from './given-labels.ts';

it.each([
  ['none', 'none' as const],
  ['a key ring', sealing],
])('labels are written with the submission, with sealing %s', async (_, sealed) => {
  const service = givenLabelled({ sealing: sealed });
  const { principal } = await givenClient(service);
  const access = await givenAnswers(service, principal, { reference: 'user_1' });
  expect(await entriesIn(service)).toEqual([]);
  const { id } = await service.countersign.subject.submit(access);
  const other = await givenSubmitted(service, principal, 'user_2');
  const entries = await entriesIn(service);
  expect(new Set(entries.map(({ purpose }) => purpose))).toEqual(new Set(['document_number', 'person']));
  expect(labelsOf(entries, id)).toEqual(labelsOf(entries, other.id));
  expect(JSON.stringify(entries)).not.toMatch(/lovelace|C01X00T47/i);
  expect(service.faults).toEqual([]);
});

test('labels of a business are those of its people, its representative’s document and contacts, and its files', async () => {
  const service = givenLabelled();
  const { principal } = await givenClient(service);
  const access = await givenAnswers(service, principal, { reference: 'firm_1', type: 'kyb' });
  await service.countersign.subject.submit(access);
  const entries = await service.transfer.read('indexEntries', null, 1_000);
  expect(new Set(entries.map(({ purpose }) => purpose))).toEqual(
    new Set(['document_number', 'email', 'file', 'person']),
  );
});

test('labels of two clients with the same people have nothing in common', async () => {
  const service = givenLabelled();
  const [one, two] = [await givenClient(service), await givenClient(service)];
  const first = await givenSubmitted(service, one.principal, 'user_1');
  const second = await givenSubmitted(service, two.principal, 'user_1');
  const entries = await entriesIn(service);
  expect(labelsOf(entries, first.id)).toHaveLength(labelsOf(entries, second.id).length);
  expect(labelsOf(entries, first.id).filter((label) => labelsOf(entries, second.id).includes(label))).toEqual([]);
});

test('a redo keeps the labels until it is submitted, and then replaces them', async () => {
  const service = givenLabelled();
  const { countersign } = service;
  const { principal } = await givenClient(service);
  const access = await givenAnswers(service, principal, { reference: 'user_1' });
  const { id, version } = await countersign.subject.submit(access);
  const before = labelsOf(await entriesIn(service), id);
  const items = [{ step: 'person', reasonCode: 'data_mismatch' as const }];
  await reviewAs(countersign).askForAction({ verificationId: id, version }, { items });
  expect(labelsOf(await entriesIn(service), id)).toEqual(before);

  const { subject } = countersign;
  const person = {
    firstName: 'Ada',
    lastName: 'King',
    dateOfBirth: '1990-12-10',
    nationalities: ['GB'],
    email: 'ada@example.com',
  };
  await subject.completeStep(access, 'person', person);
  expect(labelsOf(await entriesIn(service), id)).toEqual(before);
  await subject.submit(access);
  const after = labelsOf(await entriesIn(service), id);
  expect(after.filter((label) => before.includes(label)).every((label) => label.startsWith('document'))).toBe(
    true,
  );
  expect(after.some((label) => label.startsWith('email'))).toBe(true);
});
