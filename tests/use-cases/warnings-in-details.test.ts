import type { Principal } from '@countersign/domain';
import { eraseVerificationData } from '@countersign/domain/actions';
import { createMemoryStorage } from '@countersign/memory';
import { reviewAs } from '@countersign/test-support/service/operations';
import { beforeEach, describe, expect, it } from 'vitest';
import { givenWorld, type World } from './given-cases.ts';

const OFF = {
  placeOfBirth: false,
  proofOfAddress: false,
  readingIsAdvice: false,
  familyNameIndex: false,
  warningsInDetails: false,
};
const ADA = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1990-12-10', nationalities: ['DE'] };
const PASSPORT = { number: 'C01X00T47' };

let world: World;
let principal: Principal;
beforeEach(async () => {
  world = givenWorld(createMemoryStorage());
  principal = await world.client();
});

const switchOn = ({ clientId }: Principal) =>
  world.service.countersign.flowSettings.change(clientId, { ...OFF, warningsInDetails: true });
const details = (id: string, by = principal) => world.service.countersign.verifications.details(by, id);

/** Submits two cases of different people with one document and one picture, and returns their ids once warnings are kept. */
async function givenWarned(): Promise<[other: string, id: string]> {
  const { id: other } = await world.submit(principal, { person: ADA, document: PASSPORT, picture: 'same' });
  const person = { ...ADA, firstName: 'Grace', phone: '+48221234567' };
  const { id } = await world.submit(principal, { person, document: PASSPORT, picture: 'same' });
  await world.service.countersign.warnings.settled();
  return [other, id];
}

async function reject(verificationId: string): Promise<void> {
  const version = (await world.storage.verifications.find(principal.clientId, verificationId))?.version ?? 0;
  const reasons = { reasonCodes: ['suspected_fraud' as const] };
  await reviewAs(world.service.countersign).reject({ verificationId, version }, reasons);
  await world.service.countersign.warnings.settled();
}

describe('warnings in the details', () => {
  it('warnings in details: without the setting, the details have no warnings', async () => {
    const [, id] = await givenWarned();
    const before = await details(id);
    expect(before).not.toHaveProperty('warnings');
    await switchOn(principal);
    const { warnings, ...rest } = await details(id);
    expect(JSON.stringify(rest)).toBe(JSON.stringify(before));
    expect(warnings).toEqual(['phone_country_differs', 'used_by_another_person', 'file_in_other_case']);
  });

  it('warnings in details: each code once, no values, and nothing of another case', async () => {
    const [other, id] = await givenWarned();
    await switchOn(principal);
    await reject(other);
    const found = await details(id);
    expect(found.warnings).toContain('rejected_for_fraud');
    expect(found.warnings).toEqual([...new Set(found.warnings)]);
    expect(JSON.stringify(found)).not.toContain(other);
    expect((await details(other)).warnings).toEqual(['used_by_another_person', 'file_in_other_case']);
  });

  it('warnings in details: an empty list for a case without warnings, none before a submission', async () => {
    await switchOn(principal);
    const { id } = await world.submit(principal);
    await world.service.countersign.warnings.settled();
    expect((await details(id)).warnings).toEqual([]);
    const body = { subjectType: 'kyc', subjectReference: 'pending' };
    const { verification } = await world.service.countersign.verifications.create(principal, body);
    expect(await details(verification.id)).not.toHaveProperty('warnings');
  });

  it('warnings in details: lists, single reads and pages of subjects never have warnings', async () => {
    const { verifications, subject } = world.service.countersign;
    await switchOn(principal);
    const { id, access } = await world.submit(principal, { person: { phone: '+48221234567' } });
    await world.service.countersign.warnings.settled();
    expect((await details(id)).warnings).toEqual(['phone_country_differs']);
    const others = [await verifications.get(principal, id), await verifications.list(principal)];
    for (const view of [...others, await subject.read(access)])
      expect(JSON.stringify(view)).not.toContain('phone_country_differs');
  });

  it('warnings in details: a key of another client gets 404, whatever its setting', async () => {
    const [, id] = await givenWarned();
    const stranger = await world.client();
    await switchOn(stranger);
    await expect(details(id, stranger)).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
    expect(await details(id)).not.toHaveProperty('warnings');
  });

  it('warnings in details: none once data is hidden or erased', async () => {
    const [, id] = await givenWarned();
    await switchOn(principal);
    await reject(id);
    expect((await details(id)).warnings).not.toEqual([]);
    await world.service.countersign
      .as({ kind: 'command_line' })
      .run(eraseVerificationData, { verificationId: id });
    const hidden = await details(id);
    expect([hidden.data.state, 'warnings' in hidden]).toEqual(['restricted', false]);
    world.service.clock.set('2050-01-01T00:00:00.000Z');
    await world.service.countersign.retention.run();
    const erased = await details(id);
    expect([erased.data.state, 'warnings' in erased]).toEqual(['erased', false]);
  });
});
