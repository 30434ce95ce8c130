import { beforeEach, describe, expect, it } from 'vitest';
import { type Fields, type GivenConsole, givenConsole, OLGA, RITA } from '../../test-support/console.ts';

let given: GivenConsole;
let id: string;

beforeEach(async () => {
  given = await givenConsole();
  id = await given.submitted();
});

const lines = () => given.ports.storage.audit.read(0, 1_000);
/** Lines of other actions than opening a case. */
const acts = async () => (await lines()).filter(({ action }) => action !== 'review.open');

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

  it('leaves a line when a case is opened, and one for each file that is looked at', async () => {
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

  it('leaves one review.open line for an approval: none for the page that asks to confirm, none for the result', async () => {
    await given.get(`/review/${id}`);
    expect((await given.act(id, 'approve')).words).toContain('Approve this verification?');
    expect((await given.act(id, 'approve', { confirmed: 'yes' })).status).toBe(303);
    expect((await given.get(`/review/${id}/decided?done=approved`)).words).toContain('Approved.');
    expect((await lines()).map(({ action }) => action)).toEqual(['review.open', 'review.approve']);
  });

  it('leaves no line when the list is looked at', async () => {
    await given.get('/review');
    await given.get('/review/keys');
    expect(await lines()).toEqual([]);
  });

  it('is recorded as refused where there is no such case or file', async () => {
    expect((await given.get('/review/no-such-case')).status).toBe(404);
    expect((await given.get(`/review/${id}/files/no-such-file`)).status).toBe(404);
    const refused = (await lines()).filter(({ outcome }) => outcome === 'refused');
    expect(refused).toMatchObject([
      { action: 'review.open', targetId: 'no-such-case', detail: { code: 'VERIFICATION_NOT_FOUND' } },
      { action: 'review.read_file', targetId: id, detail: { code: 'FILE_NOT_FOUND' } },
    ]);
  });

  it('is recorded as refused if another reviewer was first', async () => {
    await given.act(id, 'approve', { confirmed: 'yes' });
    const { status } = await given.act(id, 'reject', {
      confirmed: 'yes',
      'reject.reasonCodes': 'data_mismatch',
    });
    expect(status).toBe(409);
    const [allowed, refused] = (await acts()).slice(-2);
    expect(allowed).toMatchObject({ action: 'review.reject', outcome: 'allowed' });
    expect(refused).toMatchObject({ action: 'review.reject', outcome: 'refused' });
    expect(refused?.detail['of']).toBe(allowed?.sequence);
  });
});

describe('links between the console and the operator pages', () => {
  it('is a menu item for operators only', async () => {
    expect((await given.get('/review', OLGA)).text).toContain('href="/kyc/admin"');
    expect((await given.get('/review', RITA)).text).not.toContain('href="/kyc/admin"');
    expect((await given.get('/admin', OLGA)).text).toContain('href="/kyc/review"');
  });
});
