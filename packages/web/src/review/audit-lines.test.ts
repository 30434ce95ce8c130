import { beforeEach, describe, expect, it } from 'vitest';
import { CHECKED, type Fields, type GivenConsole, givenConsole, OLGA, RITA } from '../../test-support/console.ts';

let given: GivenConsole;
let id: string;

beforeEach(async () => {
  given = await givenConsole();
  id = await given.submitted();
});

const lines = () => given.ports.storage.audit.read(0, 1_000);
/** Lines of other actions than opening a case and claiming the next one. */
const acts = async () =>
  (await lines()).filter(({ action }) => !['review.open', 'review.claim_next'].includes(action));

describe('what a reviewer does', () => {
  it.each<[act: string, action: string, fields: Fields, detail: object]>([
    ['claim', 'review.claim', {}, {}],
    ['note', 'review.note', { 'note.internalNote': 'The name is odd.' }, {}],
    ['approve', 'review.approve', { confirmed: 'yes' }, {}],
    [
      'reject',
      'review.reject',
      { confirmed: 'yes', 'reject.reasonCodes': ['document_expired', 'data_mismatch'] },
      { reasonCodes: ['document_expired', 'data_mismatch'] },
    ],
    [
      'ask',
      'review.ask_for_action',
      { confirmed: 'yes', 'ask.steps': 'selfie', 'ask.selfie.reasonCode': 'selfie_unclear' },
      { reasonCodes: ['selfie_unclear'] },
    ],
  ])('leaves a line: %s', async (act, action, fields, detail) => {
    const { status } = await given.act(id, act, fields);
    expect(status).toBe(303);
    expect(await acts()).toMatchObject([
      {
        actor: { kind: 'reviewer', id: RITA },
        from: '192.0.2.1',
        action,
        outcome: 'allowed',
        clientId: given.principal.clientId,
        targetId: id,
        detail,
      },
    ]);
    expect(JSON.stringify(await lines())).not.toContain('The name is odd.');
  });

  it('leaves a line when a claim is released', async () => {
    await given.act(id, 'claim');
    await given.act(id, 'release', {}, OLGA);
    expect((await acts()).at(-1)).toMatchObject({
      actor: { kind: 'operator', id: OLGA },
      action: 'review.release',
      targetId: id,
    });
  });

  it('leaves a line when a case is opened, and one for each opened file', async () => {
    const page = await given.get(`/review/${id}`);
    expect(page.status).toBe(200);
    expect(await lines()).toMatchObject([
      { actor: { id: RITA }, from: '192.0.2.1', action: 'review.open', outcome: 'allowed', targetId: id },
    ]);
    const [, file = '', fileId = ''] = /src="\/kyc(\/review\/[^"]+\/files\/([^"]+))"/.exec(page.text) ?? [];
    expect((await given.get(file)).status).toBe(200);
    expect((await lines()).at(-1)).toMatchObject({
      actor: { kind: 'reviewer', id: RITA },
      from: '192.0.2.1',
      action: 'review.read_file',
      outcome: 'allowed',
      clientId: given.principal.clientId,
      targetId: id,
      detail: { fileId },
    });
  });

  it('leaves one review.open line for an approval, and names the next case that was claimed', async () => {
    const next = await given.submitted();
    const { text } = await given.get(`/review/${id}`);
    const [, key = ''] = /name="approve.checkedWarnings" value="([^"]+)"/.exec(text) ?? [];
    const fields = { confirmed: 'yes', [CHECKED]: key };
    expect((await given.act(id, 'approve', fields)).status).toBe(303);
    const about = (await lines()).map(({ action, targetId, detail }) => [action, targetId, detail.of ?? null]);
    expect(about).toEqual([
      ['review.open', id, null],
      ['review.approve', id, null],
      ['review.claim_next', null, null],
      ['review.claim_next', next, 3],
    ]);
  });

  it('leaves one line when the queue is opened, for all its rows', async () => {
    await given.submitted();
    await given.get('/review');
    await given.get('/review/keys');
    expect((await lines()).map(({ action }) => action)).toEqual(['review.queue_subjects']);
  });

  it('an action of a reviewer on an unknown case or file is recorded as refused', async () => {
    expect((await given.get('/review/no-such-case')).status).toBe(404);
    expect((await given.get(`/review/${id}/files/no-such-file`)).status).toBe(404);
    const refused = (await lines()).filter(({ outcome }) => outcome === 'refused');
    expect(refused).toMatchObject([
      { action: 'review.open', targetId: 'no-such-case', detail: { code: 'VERIFICATION_NOT_FOUND' } },
      { action: 'review.read_file', targetId: id, detail: { code: 'FILE_NOT_FOUND' } },
    ]);
  });

  it('an action of a reviewer is recorded as refused if another reviewer was first', async () => {
    await given.act(id, 'approve', { confirmed: 'yes' });
    const { status } = await given.act(id, 'reject', {
      confirmed: 'yes',
      'reject.reasonCodes': 'data_mismatch',
    });
    expect(status).toBe(303);
    const [allowed, refused] = (await acts()).slice(-2);
    expect(allowed).toMatchObject({ action: 'review.reject', outcome: 'allowed' });
    expect(refused).toMatchObject({ action: 'review.reject', outcome: 'refused' });
    expect(refused?.detail.of).toBe(allowed?.sequence);
  });
});

describe('a form that is refused leaves a line of its action', () => {
  const stale = { expectedVersion: '1' };
  const noReason = { 'reject.message': 'Please call us' };
  const unticked = { 'ask.person.note': 'Which name?' };
  const noNote = { 'ask.steps': 'person', 'ask.person.reasonCode': 'other' };

  it.each<[what: string, act: string, fields: Fields, status: number, action: string, code: string]>([
    ['a rejection without a reason', 'reject', noReason, 422, 'review.reject', 'INVALID_PARAMETERS'],
    [
      'a confirmed rejection without a reason',
      'reject',
      { ...noReason, confirmed: 'yes' },
      422,
      'review.reject',
      'INVALID_PARAMETERS',
    ],
    [
      'a rejection for another reason without a message',
      'reject',
      { 'reject.reasonCodes': 'other' },
      422,
      'review.reject',
      'INVALID_PARAMETERS',
    ],
    ['an empty note', 'note', {}, 422, 'review.note', 'INVALID_PARAMETERS'],
    [
      'an approval with a note that is too long',
      'approve',
      { 'approve.internalNote': 'x'.repeat(2001) },
      422,
      'review.approve',
      'INVALID_PARAMETERS',
    ],
    ['a request without a step', 'ask', {}, 422, 'review.ask_for_action', 'INVALID_PARAMETERS'],
    [
      'a request with a note for a step that is not chosen',
      'ask',
      unticked,
      422,
      'review.ask_for_action',
      'INVALID_PARAMETERS',
    ],
    ['a request without its note', 'ask', noNote, 422, 'review.ask_for_action', 'INVALID_PARAMETERS'],
    ['a missing version', 'approve', { expectedVersion: '' }, 400, 'review.approve', 'INVALID_PARAMETERS'],
    ['a version that is no number', 'claim', { expectedVersion: 'x' }, 400, 'review.claim', 'INVALID_PARAMETERS'],
    ['a stale version, before it is confirmed', 'approve', stale, 409, 'review.approve', 'VERSION_CONFLICT'],
    [
      'a stale version with a problem',
      'reject',
      { ...noReason, ...stale },
      409,
      'review.reject',
      'INVALID_PARAMETERS',
    ],
  ])('%s', async (_, act, fields, status, action, code) => {
    expect((await given.act(id, act, fields)).status).toBe(status);
    const refused = (await acts()).filter(({ outcome }) => outcome === 'refused');
    const about = { clientId: given.principal.clientId, targetId: id };
    expect(refused).toMatchObject([{ actor: { id: RITA }, action, ...about, detail: { code } }]);
    expect((await given.review.open(id)).verification.status).toBe('submitted');
    expect(JSON.stringify(await lines())).not.toMatch(/Please call us|Which name/);
  });

  it('a rejection without a reason of a case that does not exist', async () => {
    const fields = { expectedVersion: '1', confirmed: 'yes', ...noReason };
    expect((await given.post('/review/no-such-case/reject', fields)).status).toBe(404);
    expect((await lines())[0]).toMatchObject({
      action: 'review.reject',
      outcome: 'refused',
      targetId: 'no-such-case',
      detail: { code: 'VERIFICATION_NOT_FOUND' },
    });
  });
});

describe('links between the console and the operator pages', () => {
  it('the link from the console to the operator pages is shown to operators only', async () => {
    expect((await given.get('/review', OLGA)).text).toContain('href="/kyc/admin"');
    expect((await given.get('/review', RITA)).text).not.toContain('href="/kyc/admin"');
    expect((await given.get('/admin', OLGA)).text).toContain('href="/kyc/review"');
  });
});
