import type { Ids, Secrets, SubjectAccess } from '@countersign/domain';
import {
  BUILT_IN_FLOWS,
  currentFlow,
  defineStep,
  type Flow,
  type Flows,
  stepsOf,
} from '@countersign/domain/flows';
import type { Storage } from '@countersign/domain/storage';
import { createCountingIds, createCountingSecrets, createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import { givenClient, givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const [FIRST] = BUILT_IN_FLOWS.kyc as readonly [Flow];

/** Picture last: the same steps in another order. */
const SECOND: Flow = {
  type: 'kyc',
  version: 2,
  steps: Object.fromEntries(Object.entries(FIRST.steps).toReversed()),
};

const flowsUpTo = (...kyc: readonly Flow[]): Flows => ({ ...BUILT_IN_FLOWS, kyc });

let service: Service;
let ports: { ids: Ids; secrets: Secrets; storage: Storage };

beforeEach(() => {
  ports = { ids: createCountingIds(), secrets: createCountingSecrets(), storage: createMemoryStorage() };
  service = givenService(ports);
});

/** The same storage, served with other flows, as after an upgrade. */
function servedWith(flows: Flows): Service {
  return givenService(ports, { flows });
}

async function begun({ countersign }: Service, subjectReference: string) {
  const client = await givenClient({ countersign });
  const body = { subjectType: 'kyc', subjectReference };
  const { verification } = await countersign.verifications.create(client.principal, body);
  const { access } = await countersign.subject.open(verification.verificationUrl.split('/').at(-1) as string);
  return { client, access, id: verification.id };
}

const openStepOf = async ({ countersign }: Service, access: SubjectAccess) =>
  stepsOf((await countersign.subject.read(access)).flow)[0];

describe('versions of a flow', () => {
  it('a verification finishes in the version it began with, and new ones begin with the last', async () => {
    const before = servedWith(flowsUpTo(FIRST));
    const { client, access, id } = await begun(before, 'user_1');
    const after = servedWith(flowsUpTo(FIRST, SECOND));
    expect(await openStepOf(after, access)).toBe('consent');
    for (const step of stepsOf(FIRST)) await answerStep(after.countersign, access, step);
    await after.countersign.subject.submit(access);
    const details = await after.countersign.verifications.details(client.principal, id);
    expect(details).toMatchObject({ status: 'submitted', totalSteps: stepsOf(FIRST).length });
    expect(details.steps.map(({ key }) => key)).toEqual(stepsOf(FIRST));

    const later = await begun(after, 'user_2');
    expect(await openStepOf(after, later.access)).toBe(stepsOf(SECOND)[0]);
    expect(await service.storage.verifications.findForAnyClient(later.id)).toMatchObject({ flowVersion: 2 });
  });

  it('a verification of an unknown version is a fault that names it', async () => {
    const both = servedWith(flowsUpTo(FIRST, SECOND));
    const { access, id } = await begun(both, 'user_1');
    const without = servedWith(flowsUpTo(FIRST));
    await expect(without.countersign.subject.read(access)).rejects.toThrow(id);
  });
});

describe('the setting flowVersion: new verifications begin with at most this version', () => {
  const both = flowsUpTo(FIRST, SECOND);

  it.each([
    [1, 1],
    [2, 2],
    [undefined, 2],
  ])('%s: a new one begins with version %d', async (flowVersion, expected) => {
    const held = givenService(ports, { flows: both, flowVersion });
    const { access, id } = await begun(held, 'user_1');
    expect(await held.storage.verifications.findForAnyClient(id)).toMatchObject({ flowVersion: expected });
    expect(await openStepOf(held, access)).toBe(stepsOf(expected === 1 ? FIRST : SECOND)[0]);
  });

  it('one that began with a higher version continues in it', async () => {
    const { client, access, id } = await begun(servedWith(both), 'user_1');
    const held = givenService(ports, { flows: both, flowVersion: 1 });
    for (const step of stepsOf(SECOND)) await answerStep(held.countersign, access, step);
    await held.countersign.subject.submit(access);
    const details = await held.countersign.verifications.details(client.principal, id);
    expect(details.steps.map(({ key }) => key)).toEqual(stepsOf(SECOND));
    expect(details.status).toBe('submitted');
  });

  it('a type without so high a version begins with its newest', async () => {
    const flows = { ...both, kyc: [...both.kyc, { ...SECOND, version: 3 }] };
    const held = givenService(ports, { flows, flowVersion: 3 });
    const { client } = await begun(held, 'user_1');
    const { verification } = await held.countersign.verifications.create(client.principal, {
      subjectType: 'kyb',
      subjectReference: 'user_2',
    });
    expect(await held.storage.verifications.findForAnyClient(verification.id)).toMatchObject({ flowVersion: 2 });
  });

  it.each([0, 3, 1.5, Number.NaN])('%d is refused', (flowVersion) => {
    expect(() => givenService(ports, { flows: both, flowVersion })).toThrow(
      `flowVersion is ${flowVersion}: expected one of 1, 2`,
    );
  });

  it('a version at which a type has no flow is refused', () => {
    const flows = flowsUpTo(SECOND, { ...SECOND, version: 4 });
    expect(() => givenService(ports, { flows, flowVersion: 1 })).toThrow('expected one of 2, 4');
  });
});

describe('createCountersign refuses flows', () => {
  const twin = defineStep<{ readonly accepted: true }>({
    fields: { accepted: { kind: 'statement' } },
    pages: { consent: ['accepted'] },
  });

  it.each<[string, readonly Flow[]]>([
    ['without any version', []],
    ['whose versions do not rise', [SECOND, FIRST]],
    ['with one version twice', [FIRST, FIRST]],
    ['of another type', [currentFlow('kyb')]],
    ['in which two pages share a slug', [{ ...FIRST, steps: { ...FIRST.steps, attestation: twin } }]],
  ])('%s', (_, kyc) => {
    expect(() => servedWith(flowsUpTo(...kyc))).toThrow('kyc');
  });
});
