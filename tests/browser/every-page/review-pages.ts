import { operate } from '@countersign/test-support/installation/operator';
import { ANSWERS } from '@countersign/test-support/pages/page-answers';
import { blurredCard } from '@countersign/test-support/pages/pictures';
import { newMember, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { handedIn } from './handed-in.ts';
import { LONG, type Looking, TEMPLATES } from './looking.ts';

/** Checks the review queue before the first submission. */
export async function lookAtEmptyQueue({ site, newReader }: Looking): Promise<void> {
  const reader = await newReader('en', await newMember(site.server, { role: 'reviewer' }));
  await reader.look('/review');
  reader.expectNothingWrong();
}

/** Checks cases in every state, their forms, and the pages their subjects see afterwards. */
export async function lookAtReview(looking: Looking): Promise<void> {
  const { site, newReader, good } = looking;
  const material = { api: site.api, good };
  const strange = { nationality: { 'nationalities.0': 'PL', nationalIdNumber: '1' } };
  const blurred = new Blob([await blurredCard('blurred')]);
  const longName = { name: { ...ANSWERS.kyc.name, lastName: LONG } };
  const [reviewer, other, kyc, kyb, held, asked, turnedDown] = await Promise.all([
    newMember(site.server, { role: 'reviewer' }),
    newMember(site.server, { role: 'reviewer' }),
    handedIn(material, 'kyc', { answers: strange, file: () => blurred }),
    handedIn(material, 'kyb'),
    handedIn(material, 'kyc'),
    handedIn(material, 'kyc', { answers: longName }),
    handedIn(material, 'kyc'),
  ]);
  await operate(site.server, ({ clients }) => clients.setReasonTemplates(site.clientId, TEMPLATES));
  const reader = await newReader('en', reviewer);
  await other.act(held.id, 'claim');
  await reader.look('/review');
  await reader.look(`/review?after=_${held.id}&type=kyc`);
  await reader.inFull.look('/review?status=rejected&claim=mine');
  await reader.look('/review/keys');
  await reader.look('/review/search');
  await reader.inFull.post('/review/search', { query: 'ABC123456' }, 200);
  await reader.post('/review/search', { query: LONG }, 200);
  await reader.inFull.post('/review/search', { query: '', birthDate: '1.2.1990' }, 422);

  for (const { id } of [held, kyb, kyc]) await reader.look(`/review/${id}`);
  const at = `/review/${kyc.id}`;
  const expectedVersion = await versionOf(reviewer, kyc.id);
  const ask = {
    'ask.steps': 'document',
    'ask.document.reasonCode': 'document_glare',
    'ask.document.note': `The number cannot be read ${LONG}`,
    'ask.message': `Nearly there ${LONG}`,
    'ask.internalNote': `Look at the number ${LONG}`,
  };
  // Critical for the other cases, which have the same document.
  const reject = { 'reject.reasonCodes': 'suspected_fraud', 'reject.message': `Another person ${LONG}` };
  await reader.post(`${at}/approve`, { expectedVersion }, 200);
  await reader.post(`${at}/reject`, { expectedVersion, ...reject }, 200);
  await reader.post(`${at}/ask`, { expectedVersion, ...ask }, 200);
  const insert = { expectedVersion, insertTemplate: 'yes' };
  await reader.post(`${at}/ask`, { ...insert, ...ask, 'ask.template': 'Dunkel' }, 200);
  await reader.post(`${at}/reject`, insert, 422);
  await reader.post(`${at}/reject`, { expectedVersion }, 422);
  await reader.post(`${at}/ask`, { expectedVersion }, 422);
  await reader.post(`${at}/note`, { expectedVersion }, 422);
  await reader.look(`${at}/hand-over`);
  await reader.post(
    `${at}/hand-over`,
    { expectedVersion, email: 'stranger@example.org', internalNote: `Kept ${LONG}` },
    422,
  );
  await reader.post(`${at}/claim`, { expectedVersion: '1' }, 409);
  await reader.post(`${at}/release`, { expectedVersion: '1' }, 409);
  await reader.inFull.post(`${at}/approve`, { expectedVersion: '1', 'approve.internalNote': 'Kept' }, 409);
  await reader.inFull.post(`/review/${held.id}/reject`, { expectedVersion, ...reject }, 409);

  await reviewer.act(kyb.id, 'note', { 'note.internalNote': 'A note' });
  await reviewer.act(asked.id, 'ask', ask);
  await reviewer.act(turnedDown.id, 'reject', reject);
  await reviewer.act(kyc.id, 'approve');
  await reader.look('/review?only=warned');
  await reader.inFull.look('/review?only=resubmitted');
  await reader.look(`/review?done=approved&of=${kyc.id}`);
  await reader.post('/review/search', { query: kyc.id }, 200);
  await reader.look(`/review/${held.id}?done=late&of=${asked.id}#data`);
  await reader.look(`/review/${kyc.id}#compared`);
  await reader.look(`/review/${turnedDown.id}`);
  await reader.look('/review/nobody', 404);

  for (const { url, id } of [kyc, turnedDown]) {
    await reader.takeSession(url);
    await reader.look(`/verify/${id}`);
  }
  await reader.takeSession((await site.details(asked.id)).verificationUrl);
  await reader.look(`/verify/${asked.id}`);
  await reader.look(`/verify/${asked.id}/document`);
  await reader.look(`/verify/${asked.id}/document-front`);
  await reader.look(`/verify/${asked.id}/document-front?again`);
  reader.expectNothingWrong();
}

async function versionOf(staff: StaffForms, id: string): Promise<string> {
  const page = await (await staff.get(`/review/${id}`)).text();
  return /name="expectedVersion" value="(\d+)"/.exec(page)?.[1] ?? '';
}
