import {
  approveVerification,
  askForAction,
  rejectVerification,
  withdrawVerification,
} from '@countersign/domain/actions';
import { BUILT_IN_FLOWS, currentFlow, defineStep } from '@countersign/domain/flows';
import { beforeEach, describe, expect, it } from 'vitest';
import { dataOf, type Envelope, expectRefusal } from '../test-support/answer.ts';
import { type GivenApi, type GivenClient, givenApi, givenClient } from '../test-support/api.ts';
import { givenPending, givenSubmitted, reviewerOf, subjectOf } from '../test-support/verifications.ts';

let api: GivenApi;
let client: GivenClient;

beforeEach(async () => {
  api = givenApi();
  client = await givenClient(api);
});

const get = (id: string) => api.request(`/verifications/${id}`, { key: client.key });
const details = (id: string) => api.request(`/verifications/${id}/details`, { key: client.key });
const internalNote = 'only for reviewers';
const stepsIn = (body: Envelope) => (dataOf({ body }).steps as { status: string }[]).map(({ status }) => status);

describe('GET /verifications/{id}', () => {
  it('returns the nine fields of the interface and metadata', async () => {
    const id = await givenPending(api, client);
    const { status, body } = await get(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          id,
          type: 'kyc',
          subjectReference: 'user_1',
          status: 'pending',
          currentStep: 0,
          requestedAt: '2026-01-15T12:00:00.000Z',
          resolvedAt: null,
          verificationUrl: expect.stringContaining(`https://verify.example/verify/${id}.`) as string,
          submittedData: {},
          metadata: { tenant: 'acme' },
        },
      },
    });
  });

  it('returns the fields in the order of the documentation', async () => {
    const { body } = await get(await givenPending(api, client));
    expect(Object.keys(body.data ?? {})).toEqual([
      'id',
      'type',
      'subjectReference',
      'status',
      'requestedAt',
      'resolvedAt',
      'currentStep',
      'verificationUrl',
      'submittedData',
      'metadata',
    ]);
  });

  it('returns the submitted data', async () => {
    const { id } = await givenSubmitted(api, client);
    const { body } = await get(id);
    expect(body.data).toMatchObject({ status: 'submitted', currentStep: 6, resolvedAt: null });
    expect(dataOf({ body }).submittedData).toMatchObject({
      person: { firstName: 'Ada' },
      attestation: { accepted: true },
    });
  });
});

describe('GET /verifications/{id}/details', () => {
  it('pending', async () => {
    const id = await givenPending(api, client);
    const { body } = await details(id);
    expect(body.data).toEqual({
      ...(await get(id)).body.data,
      totalSteps: 6,
      steps: ['consent', 'document', 'person', 'selfie', 'address', 'attestation'].map((key) => ({
        key,
        status: 'pending',
        completedAt: null,
      })),
      actionNeeded: null,
      decision: null,
      documents: [],
      history: [{ status: 'pending', at: '2026-01-15T12:00:00.000Z', actor: 'client' }],
      data: { state: 'kept', until: null },
    });
  });

  it('submitted', async () => {
    const { id } = await givenSubmitted(api, client);
    const { body } = await details(id);
    expect(body.data).toMatchObject({ status: 'submitted', actionNeeded: null, decision: null });
    expect(stepsIn(body)).toEqual(Array(6).fill('completed'));
    expect(dataOf({ body }).documents).toMatchObject([{ kind: 'document_front' }, { kind: 'selfie', size: 1000 }]);
    expect(JSON.stringify(body)).not.toContain('blur');
    expect(dataOf({ body }).history).toMatchObject([
      { status: 'pending', actor: 'client' },
      { status: 'submitted', actor: 'subject', at: '2026-01-15T12:01:00.000Z' },
    ]);
  });

  it('action_needed', async () => {
    const { id, version } = await givenSubmitted(api, client);
    const items = [{ step: 'selfie', reasonCode: 'selfie_unclear', note: 'More light, please' }] as const;
    await reviewerOf(api, 'staff-7').run(askForAction, {
      verificationId: id,
      version,
      internalNote,
      items,
      message: 'Nearly done',
    });

    const { body } = await details(id);

    expect(body.data).toMatchObject({
      status: 'action_needed',
      currentStep: 3,
      actionNeeded: { message: 'Nearly done', items },
    });
    expect(stepsIn(body)).toEqual([
      ...Array<string>(3).fill('completed'),
      'action_needed',
      'completed',
      'completed',
    ]);
    expect(JSON.stringify(body)).not.toMatch(/only for reviewers|staff-7/);
  });

  it('approved', async () => {
    const { id, version } = await givenSubmitted(api, client);
    await reviewerOf(api, 'staff-7').run(approveVerification, { verificationId: id, version, internalNote });

    const { body } = await details(id);

    const resolvedAt = '2026-01-15T12:01:00.000Z';
    expect(body.data).toMatchObject({
      status: 'approved',
      resolvedAt,
      currentStep: 6,
      actionNeeded: null,
      decision: { outcome: 'approved', reasonCodes: [], message: null, decidedAt: resolvedAt },
    });
    expect((dataOf({ body }).history as unknown[]).at(-1)).toEqual({
      status: 'approved',
      at: resolvedAt,
      actor: 'reviewer',
    });
    expect(JSON.stringify(body)).not.toMatch(/only for reviewers|staff-7/);
  });

  it('rejected', async () => {
    const { id, version } = await givenSubmitted(api, client);
    const rejection = { reasonCodes: ['document_expired', 'other'], message: 'Expired, and folded' } as const;
    await reviewerOf(api, 'staff-7').run(rejectVerification, {
      verificationId: id,
      version,
      internalNote,
      ...rejection,
    });

    const { body } = await details(id);

    expect(body.data).toMatchObject({ status: 'rejected', decision: { outcome: 'rejected', ...rejection } });
    expect(JSON.stringify(body)).not.toMatch(/only for reviewers|staff-7/);
  });

  it('withdrawn: rejected with the reason withdrawn', async () => {
    const verificationId = await givenPending(api, client);
    await api.countersign.as({ kind: 'command_line' }).run(withdrawVerification, { verificationId });
    const { body } = await details(verificationId);
    expect(body.data).toMatchObject({ status: 'rejected', decision: { reasonCodes: ['withdrawn'] } });
  });
});

describe('the id in the path', () => {
  it('the id in the path of another client: the same 404 as an unknown id', async () => {
    const id = await givenPending(api, client);
    const stranger = await givenClient(api);
    for (const suffix of ['', '/details']) {
      const foreign = await api.request(`/verifications/${id}${suffix}`, { key: stranger.key });
      const unknown = await api.request(`/verifications/${id.replace(/.$/, 'f')}${suffix}`, { key: stranger.key });
      expectRefusal(foreign, 404, 'VERIFICATION_NOT_FOUND', 'Verification not found. Check its id.');
      expect(foreign.body).toEqual(unknown.body);
    }
  });

  it.each([
    '1',
    '%00',
    '%F0%9F%AA%AA',
    '%2e%2e%2f',
    'a%2Fdetails',
    '%25',
    "'%20OR%201=1",
    '__proto__',
    'x'.repeat(5000),
  ])('%.30s: 404 VERIFICATION_NOT_FOUND', async (id) => {
    expectRefusal(await get(id), 404, 'VERIFICATION_NOT_FOUND');
    expectRefusal(await details(id), 404, 'VERIFICATION_NOT_FOUND');
    expect(api.faults).toEqual([]);
  });

  it('the id in the path is percent-decoded once', async () => {
    const id = await givenPending(api, client);
    const first = id.charCodeAt(0).toString(16);
    expect((await get(`%${first}${id.slice(1)}`)).status).toBe(200);
    expectRefusal(await get(`%25${first}${id.slice(1)}`), 404, 'VERIFICATION_NOT_FOUND');
  });

  it.each(['%', '%zz', '%ff', '%c0%af', 'a%2'])(
    'invalid percent-encoding %s: 400 INVALID_PARAMETERS',
    async (id) => {
      for (const answer of [await get(id), await details(id)]) {
        expectRefusal(answer, 400, 'INVALID_PARAMETERS');
        expect(dataOf(answer).issues).toMatchObject([{ path: 'id' }]);
      }
      expect(api.faults).toEqual([]);
    },
  );
});

describe('a flow with one more text, one more choice and one more file', () => {
  interface Residence {
    readonly occupation?: string | undefined;
    readonly residency: 'citizen' | 'settled';
    readonly permitFileId: string;
  }
  const residence = defineStep<Residence>({
    fields: {
      occupation: { kind: 'text', max: 40, optional: true },
      residency: { kind: 'choice', of: ['citizen', 'settled'] },
      permitFileId: { kind: 'file', evidence: 'authority' },
    },
    pages: { residence: ['occupation', 'residency'], permit: ['permitFileId'] },
  });
  const first = currentFlow('kyc');
  const grown = { type: first.type, version: first.version + 1, steps: { consent: residence } };

  it('its answers and its file are read as the OpenAPI document describes them', async () => {
    api = givenApi({ settings: { flows: { ...BUILT_IN_FLOWS, kyc: [first, grown] } } });
    client = await givenClient(api);
    const id = await givenPending(api, client);
    const { subject } = api.countersign;
    const access = await subjectOf(api, client, id);
    const permit = { step: 'consent', kind: 'authority', contentType: 'image/jpeg', size: 1000 } as const;
    const { file } = await subject.attachFile(access, { ...permit, sha256: 'ab'.repeat(32) });
    const answers = { occupation: 'Baker', residency: 'settled', permitFileId: file.id };
    await subject.completeStep(access, 'consent', answers);

    const { body } = await get(id);
    expect(dataOf({ body }).submittedData).toEqual({ consent: answers });
    expect(dataOf(await details(id)).documents).toMatchObject([
      { id: file.id, step: 'consent', kind: 'authority' },
    ]);
  });
});
