import {
  approveVerification,
  claimVerification,
  openForReview,
  previewDecision,
} from '@countersign/domain/actions';
import { currentFlow, stepsOf } from '@countersign/domain/flows';
import type { User } from '@countersign/domain/staff';
import type { Storage } from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { answerStep } from '@countersign/test-support/service/answers';
import type { Operations } from '@countersign/test-support/service/operations';
import { givenService, type Service } from '@countersign/test-support/service/service';
import {
  auditSummary,
  givenStaff,
  givenTeam,
  linesOf,
  operationsAs,
  type Team,
} from '@countersign/test-support/service/team';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const withCode = (code: string) => expect.objectContaining({ code });

let service: Service;
let team: Team;
let reviewer: User;
let reviewing: Operations;
let verification: { id: string; version: number };

beforeEach(async () => {
  service = givenService();
  team = await givenTeam(service);
  reviewer = await givenStaff(service, { role: 'reviewer' });
  reviewing = operationsAs(service, reviewer);
  verification = await givenSubmitted();
});

async function givenSubmitted(): Promise<{ id: string; version: number }> {
  const { countersign } = service;
  const { subscription } = await countersign.clients.get(team.clientId);
  const principal = {
    clientId: team.clientId,
    keyId: 'key',
    permissions: ['*'],
    subscription,
    mode: 'live',
    linkDays: null,
  } as const;
  const made = await countersign.verifications.create(principal, {
    subjectType: 'kyc',
    subjectReference: 'user_1',
  });
  const { access } = await countersign.subject.open(made.verification.verificationUrl.split('/').at(-1) as string);
  for (const step of stepsOf(currentFlow('kyc'))) await answerStep(countersign, access, step);
  return { id: made.verification.id, version: (await countersign.subject.submit(access)).version };
}

const seen = ({ version } = verification) => ({ verificationId: verification.id, version });

describe('reviewing', () => {
  it('reads the client of a verification once for all its actions, and again while it is unknown', async () => {
    const { verifications } = service.storage;
    const { clientOf } = verifications;
    const read = vi.fn<typeof clientOf>(clientOf);
    Object.assign(verifications, { clientOf: read });
    for (let times = 0; times < 2; times += 1) {
      await expect(reviewing.review.open('unknown')).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
    }
    expect(read.mock.calls).toEqual([['unknown'], ['unknown']]);
    read.mockClear();
    await reviewing.review.open(verification.id);
    const { version } = await reviewing.review.claim(seen());
    await reviewing.review.note(seen({ ...verification, version }), 'Clear copies');
    await reviewing.review.preview(verification.id);
    await reviewing.review.approve(seen({ ...verification, version: version + 1 }));
    expect(read.mock.calls).toEqual([[verification.id]]);
    const clients = (await linesOf(service)).slice(-4).map(({ clientId }) => clientId);
    expect(new Set(clients)).toEqual(new Set([team.clientId]));
  });

  it('records opening and reading files with the client; not reading the queue', async () => {
    await reviewing.review.queue();
    const { verification: opened } = await reviewing.review.open(verification.id);
    const fileId = opened.files[0]?.id as string;
    const place = { clientId: team.clientId, verificationId: verification.id, fileId };
    await service.evidence.store.put(place, Uint8Array.of(1));
    await reviewing.review.readFile(verification.id, fileId);
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

  it('records decisions with their reason codes and without any text', async () => {
    const { version } = await reviewing.review.claim(seen());
    const noted = await reviewing.review.note(seen({ id: '', version }), 'looks like Ada');
    const asked = { items: [{ step: 'document', reasonCode: 'document_glare' }], message: 'Dear Ada' } as const;
    await reviewing.review.askForAction(seen(noted), asked);
    expect(await linesOf(service)).toMatchObject([
      { action: 'review.claim' },
      { action: 'review.note', detail: {} },
      { action: 'review.ask_for_action', detail: { reasonCodes: ['document_glare'] } },
    ]);
    expect(JSON.stringify(await linesOf(service))).not.toContain('Ada');
  });

  it('refuses a decision in the name of a colleague', async () => {
    const colleague = await givenStaff(service, { role: 'reviewer' });
    const forged = { ...seen(), reviewerId: colleague.id };
    await expect(reviewing.as.runUnchecked(claimVerification, forged)).rejects.toEqual(
      withCode('INVALID_PARAMETERS'),
    );
    await reviewing.review.claim(seen());
    const { events } = await reviewing.review.open(verification.id);
    expect(events.at(-1)?.actor).toEqual({ kind: 'reviewer', id: reviewer.id });
  });

  it('records an operator who reviews as operator; the history says reviewer', async () => {
    const operator = await givenStaff(service, { role: 'operator' });
    await operationsAs(service, operator).review.approve(seen());
    expect(await linesOf(service)).toMatchObject([{ actor: { kind: 'operator', id: operator.id } }]);
    const found = await service.storage.verifications.findWithEventsForAnyClient(verification.id, 100);
    expect(found?.events.at(-1)?.actor).toEqual({ kind: 'reviewer', id: operator.id });
  });

  it('records decisions that a rule refuses', async () => {
    await reviewing.review.approve(seen());
    await expect(reviewing.review.reject(seen(), { reasonCodes: ['suspected_fraud'] })).rejects.toEqual(
      withCode('VERSION_CONFLICT'),
    );
    await expect(reviewing.review.open('unknown')).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    await expect(reviewing.review.readFile(verification.id, 'x@y.example')).rejects.toEqual(
      withCode('FILE_NOT_FOUND'),
    );
    expect(await auditSummary(service)).toEqual([
      'review.approve allowed',
      'review.reject allowed',
      'review.reject refused VERSION_CONFLICT',
      'review.open refused VERIFICATION_NOT_FOUND',
      'review.read_file allowed',
      'review.read_file refused FILE_NOT_FOUND',
    ]);
  });

  it('unknown ids cause at most ten lines a minute', async () => {
    const agent = operationsAs(service, team.agent);
    for (let n = 0; n < 100; n += 1) {
      const id = `unknown-${n}`;
      for (const attempt of [agent.verifications.withdraw(id), agent.verifications.renewLink(id)]) {
        await expect(attempt).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
      }
      await expect(agent.verifications.open(id)).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    }
    await service.countersign.summariseRefusals();
    const lines = await linesOf(service);
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(lines.every(({ outcome }) => outcome === 'refused')).toBe(true);
    expect(lines.reduce((sum, { detail }) => sum + Number(detail.count ?? 1), 0)).toBe(300);
  });

  it('refuses users of a client and records them', async () => {
    const { review } = operationsAs(service, team.owner);
    await expect(review.open(verification.id)).rejects.toEqual(withCode('NOT_ALLOWED'));
    expect(await linesOf(service)).toMatchObject([
      { action: 'review.open', outcome: 'refused', actor: { kind: 'team_member' }, targetId: verification.id },
    ]);
  });
});

/** Counts the reads of verifications and clients. */
function countingReads(storage: Storage): { readonly storage: Storage; readonly reads: string[] } {
  const reads: string[] = [];
  const counting = <T extends object>(repository: T): T =>
    new Proxy(repository, {
      get(target, name) {
        if (/^(find|clientOf|list|queue|browse)/.test(String(name))) reads.push(String(name));
        return Reflect.get(target, name);
      },
    });
  const { verifications, clients } = storage;
  return { storage: { ...storage, verifications: counting(verifications), clients: counting(clients) }, reads };
}

describe('an approval', () => {
  let reads: string[];

  beforeEach(async () => {
    const counted = countingReads(createMemoryStorage());
    reads = counted.reads;
    service = givenService({ storage: counted.storage });
    team = await givenTeam(service);
    reviewing = operationsAs(service, await givenStaff(service, { role: 'reviewer' }));
    verification = await givenSubmitted();
    await service.countersign.warnings.settled();
    reads.length = 0;
  });

  it('reads four rows: three for the page that confirms, one to approve', async () => {
    const summary = await reviewing.as.run(previewDecision, { verificationId: verification.id });
    expect(reads).toHaveLength(3);
    await reviewing.as.run(approveVerification, { verificationId: summary.id, version: summary.version });
    expect(reads.slice(3)).toEqual(['findForAnyClient']);
  });

  it('reads three rows to open the verification, and lists those of its reference', async () => {
    await reviewing.as.run(openForReview, { verificationId: verification.id });
    expect(reads).toEqual(['clientOf', 'findWithEventsForAnyClient', 'find', 'list']);
  });

  it('an approval is previewed without an audit entry and without submitted data', async () => {
    const summary = await reviewing.as.run(previewDecision, { verificationId: verification.id });
    expect(summary).toMatchObject({
      id: verification.id,
      clientId: team.clientId,
      status: 'submitted',
      claim: null,
    });
    expect(JSON.stringify(summary)).not.toContain('Lovelace');
    expect(await linesOf(service)).toEqual([]);
  });

  it('records a refused preview with its client', async () => {
    const { as } = operationsAs(service, team.owner);
    const refused = as.run(previewDecision, { verificationId: verification.id });
    await expect(refused).rejects.toEqual(withCode('NOT_ALLOWED'));
    expect(await auditSummary(service)).toEqual(['review.preview refused NOT_ALLOWED']);
  });
});

describe('reading a verification in the dashboard', () => {
  it('shows submitted data to an agent, and is recorded', async () => {
    const opened = await operationsAs(service, team.agent).verifications.open(verification.id);
    expect(JSON.stringify(opened.submittedData)).toContain('Lovelace');
    expect(await linesOf(service)).toMatchObject([
      { action: 'verifications.read', outcome: 'allowed', clientId: team.clientId, targetId: verification.id },
    ]);
  });

  it('shows no submitted data to a viewer, and is not recorded', async () => {
    const opened = await operationsAs(service, team.viewer).verifications.open(verification.id);
    expect(opened).toMatchObject({ submittedData: null, documents: null, status: 'submitted' });
    expect(JSON.stringify(opened)).not.toContain('Lovelace');
    expect(await linesOf(service)).toEqual([]);
  });

  it('finds nothing for another client, and is recorded', async () => {
    const other = await givenTeam(service, 'Globex');
    for (const user of [other.owner, other.viewer]) {
      const { verifications } = operationsAs(service, user);
      await expect(verifications.open(verification.id)).rejects.toEqual(withCode('VERIFICATION_NOT_FOUND'));
    }
    expect(await auditSummary(service)).toEqual([
      'verifications.read refused VERIFICATION_NOT_FOUND',
      'verifications.read refused VERIFICATION_NOT_FOUND',
    ]);
    expect((await linesOf(service)).every(({ clientId }) => clientId === other.clientId)).toBe(true);
  });
});
