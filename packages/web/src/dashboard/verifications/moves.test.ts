import { beforeEach, describe, expect, it } from 'vitest';
import { ADA, AGNES, type GivenTeam, givenTeam, VIC } from '../../../test-support/client-team.ts';

const LIST = '/dashboard/verifications';
let given: GivenTeam;

beforeEach(async () => {
  given = await givenTeam();
});

const urlOf = async (id: string) =>
  (await given.countersign.verifications.get(given.principal, id)).verificationUrl;

describe('withdrawing', () => {
  it('asks first, says that it is final, and shows the result', async () => {
    const id = await given.pending({ subjectReference: 'user_9' });
    const asked = await given.get(`${LIST}/${id}/withdraw`, AGNES);
    expect(asked.words).toContain(
      'Withdraw this verification? user_9 , Person (KYC) Waiting for subject This is final.',
    );
    expect((await given.countersign.verifications.get(given.principal, id)).status).toBe('pending');

    const { status, headers } = await given.post(`${LIST}/${id}/withdraw`, {}, AGNES);
    expect([status, headers.get('Location')]).toEqual([303, `/kyc${LIST}/${id}?done=withdrawn`]);
    const after = await given.get(`${LIST}/${id}?done=withdrawn`, AGNES);
    expect(after.words).toContain('The verification is withdrawn.');
    expect(after.words).toContain('Outcome Withdrawn before a decision.');
    expect(after.words).not.toContain('Outcome Rejected');
    expect(after.words).toContain('Withdrawn by your team or your API key');
    expect(after.text).not.toContain(`${id}/withdraw`);
    const again = await given.get(`${LIST}/${id}/withdraw`, AGNES);
    expect(again.words).toContain('user_9 , Person (KYC) Withdrawn');
  });
});

describe('renewing the link', () => {
  it('warns that the current link stops working, and shows the new one', async () => {
    const id = await given.pending();
    const before = await urlOf(id);
    const asked = await given.get(`${LIST}/${id}/renew-link`, ADA);
    expect(asked.words).toContain('The subject’s current link stops working immediately.');
    expect(await urlOf(id)).toBe(before);

    await given.post(`${LIST}/${id}/renew-link`, {}, ADA);
    const { text, words } = await given.get(`${LIST}/${id}?done=renewed`, ADA);
    expect(words).toContain('The link is renewed.');
    expect(text).not.toContain(before);
    expect(text).toContain(await urlOf(id));
    expect((await given.get(new URL(before).pathname.replace('/kyc', ''), null)).status).not.toBe(200);
  });
});

describe('renewing the link again and again', () => {
  it('renewing the link again and again is refused after five times in a day, and says when it is possible again', async () => {
    const id = await given.pending();
    const renew = () => given.post(`${LIST}/${id}/renew-link`, {}, ADA);
    for (let n = 0; n < 5; n += 1) expect((await renew()).status).toBe(303);
    const before = await urlOf(id);

    const { status, words } = await renew();

    expect(status).toBe(409);
    expect(words).toMatch(
      /This link has been renewed 5 times within a day\. You can renew it again from \d+ \w+ \d{4}.*\. Nothing was changed\./,
    );
    expect(await urlOf(id)).toBe(before);
  });
});

describe.each(['withdraw', 'renew-link'])('%s', (move) => {
  it('records the page that shows the verification as read, and not the form', async () => {
    const id = await given.pending();
    await given.get(`${LIST}/${id}/${move}`, AGNES);
    await given.post(`${LIST}/${id}/${move}`, {}, AGNES);
    const action = move === 'withdraw' ? 'withdraw' : 'renew_link';
    expect(await given.auditLines()).toEqual(['verifications.read allowed', `verifications.${action} allowed`]);
  });

  it('does not change an approved verification and shows its status', async () => {
    const id = await given.submitted();
    await given.act(id, 'approve', { confirmed: 'yes' });
    const page = await given.get(`${LIST}/${id}/${move}`, ADA);
    const posted = await given.post(`${LIST}/${id}/${move}`, {}, ADA);
    expect([page.status, posted.status]).toEqual([200, 409]);
    for (const answer of [page, posted]) {
      expect(answer.words).toContain('Person (KYC) Approved');
      expect(answer.words).toContain('This is not possible in the current status of the verification.');
      expect(answer.text).not.toContain('<button type="submit" class="danger"');
    }
    expect((await given.countersign.verifications.get(given.principal, id)).status).toBe('approved');
    const action = move === 'withdraw' ? 'verifications.withdraw' : 'verifications.renew_link';
    expect(await given.auditLines()).toContain(`${action} refused ILLEGAL_TRANSITION`);
  });

  it('a viewer gets 403, is recorded, and changes nothing', async () => {
    const id = await given.pending();
    const before = await urlOf(id);
    const answers = [
      await given.get(`${LIST}/${id}/${move}`, VIC),
      await given.post(`${LIST}/${id}/${move}`, {}, VIC),
    ];
    for (const { status, words } of answers) {
      expect(status).toBe(403);
      expect(words).toContain('Your role does not include this. Nothing was changed.');
    }
    expect(await urlOf(id)).toBe(before);
    expect((await given.countersign.verifications.get(given.principal, id)).status).toBe('pending');
    expect(await given.auditLines()).toEqual([
      'page.request refused NOT_ALLOWED',
      'page.request refused NOT_ALLOWED',
    ]);
  });

  it('a form of another site changes nothing', async () => {
    const id = await given.pending();
    const before = await urlOf(id);
    const answer = await given.post(`${LIST}/${id}/${move}`, {}, ADA, { 'Sec-Fetch-Site': 'cross-site' });
    expect(answer.status).toBe(403);
    expect(await urlOf(id)).toBe(before);
  });
});
