import { currentFlow, type Desks, stepsOf, type User } from '@countersign/domain';
import { answerStep } from '@countersign/test-support/service/answers';
import {
  desksOf,
  givenStaff,
  givenTeam,
  linesOf,
  type Team,
  toldBy,
} from '@countersign/test-support/service/desks';
import { givenService, type Service } from '@countersign/test-support/service/service';
import { beforeEach, describe, expect, it } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });

let service: Service;
let team: Team;
let reviewer: User;
let desks: Desks;
let verification: { id: string; version: number };

beforeEach(async () => {
  service = givenService();
  team = await givenTeam(service);
  reviewer = await givenStaff(service, { role: 'reviewer' });
  desks = desksOf(service, reviewer);
  verification = await givenSubmitted();
});

async function givenSubmitted(): Promise<{ id: string; version: number }> {
  const { countersign } = service;
  const { subscription } = await countersign.clients.get(team.clientId);
  const principal = { clientId: team.clientId, keyId: 'key', permissions: ['*'], subscription } as const;
  const made = await countersign.verifications.create(principal, {
    subjectType: 'kyc',
    subjectReference: 'user_1',
  });
  const { access } = await countersign.subject.open(made.verification.verificationUrl.split('/').at(-1) as string);
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, 'kyc', step);
  return { id: made.verification.id, version: (await countersign.subject.submit(access)).version };
}

const context = ({ version } = verification, reviewerId = reviewer.id) => ({
  verificationId: verification.id,
  expectedVersion: version,
  reviewerId,
});

describe('the review desk', () => {
  it('records who opened a case and looked at a file, and whose it is; not who looked at the queue', async () => {
    await desks.review.queue();
    const { verification: opened } = await desks.review.open(verification.id);
    const fileId = opened.files[0]?.id as string;
    const place = { clientId: team.clientId, verificationId: verification.id, fileId };
    await service.evidence.store.put(place, Uint8Array.of(1));
    await desks.review.readFile(verification.id, fileId);
    const about = {
      actor: { kind: 'reviewer', id: reviewer.id },
      clientId: team.clientId,
      targetId: verification.id,
    };
    expect(await linesOf(service)).toMatchObject([
      { action: 'review.open', outcome: 'allowed', ...about, detail: {} },
      { action: 'review.read_file', outcome: 'allowed', ...about, detail: { fileId } },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain('Lovelace');
  });

  it('records decisions with their reasons, and without a word of what was written', async () => {
    const { version } = await desks.review.claim(context());
    const noted = await desks.review.note(context({ id: '', version }), 'looks like Ada');
    const asked = { items: [{ step: 'document', reasonCode: 'document_glare' }], message: 'Dear Ada' } as const;
    await desks.review.askForAction(context(noted), asked);
    expect(await linesOf(service)).toMatchObject([
      { action: 'review.claim' },
      { action: 'review.note', detail: {} },
      { action: 'review.ask_for_action', detail: { reasonCodes: ['document_glare'] } },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain('Ada');
  });

  it('lets nobody decide in the name of a colleague', async () => {
    const colleague = await givenStaff(service, { role: 'reviewer' });
    await desks.review.claim(context(verification, colleague.id));
    const { events } = await desks.review.open(verification.id);
    expect(events.at(-1)?.actor).toEqual({ kind: 'reviewer', id: reviewer.id });
  });

  it('says operator of an operator who reviews, while the history says reviewer', async () => {
    const operator = await givenStaff(service, { role: 'operator' });
    await desksOf(service, operator).review.approve(context());
    expect(await linesOf(service)).toMatchObject([{ actor: { kind: 'operator', id: operator.id } }]);
    const found = await service.storage.verifications.findWithEventsForAnyClient(verification.id);
    expect(found?.events.at(-1)?.actor).toEqual({ kind: 'reviewer', id: operator.id });
  });

  it('records what a rule stood in the way of', async () => {
    await desks.review.approve(context());
    await expect(desks.review.reject(context(), { reasonCodes: ['suspected_fraud'] })).rejects.toEqual(
      withCode('VERSION_CONFLICT'),
    );
    await expect(desks.review.open('unknown')).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    await expect(desks.review.readFile(verification.id, 'x@y.example')).rejects.toEqual(
      withCode('FILE_NOT_FOUND'),
    );
    expect(await toldBy(service)).toEqual([
      'review.approve allowed',
      'review.reject allowed',
      'review.reject refused VERSION_CONFLICT',
      'review.open allowed',
      'review.open refused VERIFICATION_NOT_FOUND',
      'review.read_file allowed',
      'review.read_file refused FILE_NOT_FOUND',
    ]);
  });

  it('is not for a client, who gets nothing and is recorded', async () => {
    const { review } = desksOf(service, team.owner);
    await expect(review.open(verification.id)).rejects.toEqual(withCode('NOT_ALLOWED'));
    expect(await linesOf(service)).toMatchObject([
      { action: 'review.open', outcome: 'refused', actor: { kind: 'client' }, targetId: verification.id },
    ]);
  });
});

describe('what a client reads of a verification', () => {
  it('is all that was handed in for an agent, who is recorded', async () => {
    const opened = await desksOf(service, team.agent).dashboard.verifications.open(verification.id);
    expect(JSON.stringify(opened.submittedData)).toContain('Lovelace');
    expect(await linesOf(service)).toMatchObject([
      { action: 'verifications.read', outcome: 'allowed', clientId: team.clientId, targetId: verification.id },
    ]);
  });

  it('is nothing that was handed in for a viewer, and not recorded', async () => {
    const opened = await desksOf(service, team.viewer).dashboard.verifications.open(verification.id);
    expect(opened).toMatchObject({ submittedData: null, documents: null, status: 'submitted' });
    expect(JSON.stringify(opened)).not.toContain('Lovelace');
    expect(await linesOf(service)).toEqual([]);
  });

  it('is nothing at all for another client, who is recorded', async () => {
    const other = await givenTeam(service, 'Globex');
    for (const user of [other.owner, other.viewer]) {
      const { verifications } = desksOf(service, user).dashboard;
      await expect(verifications.open(verification.id)).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    }
    expect(await toldBy(service)).toEqual([
      'verifications.read allowed',
      'verifications.read refused VERIFICATION_NOT_FOUND',
      'verifications.read refused VERIFICATION_NOT_FOUND',
    ]);
    expect((await linesOf(service)).every(({ clientId }) => clientId === other.clientId)).toBe(true);
  });
});
