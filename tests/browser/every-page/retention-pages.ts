import { dataOf, idOf } from '@countersign/test-support/api/api-client';
import { operate } from '@countersign/test-support/installation/operator';
import { newMember } from '@countersign/test-support/pages/staff-forms';
import { expect } from 'vitest';
import { givenClientTeam } from './client-team.ts';
import { handedIn } from './handed-in.ts';
import { LONG, type Looking } from './looking.ts';
import { givenOperator } from './operator.ts';

const LIST = '/dashboard/verifications';

/** Checks verifications on hold, hidden and erased in the dashboard, the console and for the subject, and the forms of retention. */
export async function lookAtRetention({ site, good, newReader }: Looking): Promise<void> {
  const { server } = site;
  const { api, clientId, owner } = await givenClientTeam(server);
  const material = { api, good };
  await operate(server, ({ clients }) => clients.setFileAccess(clientId, true));
  const [operator, reviewer, held, hidden, submitted, erasedAnswer] = await Promise.all([
    givenOperator({ site }),
    newMember(server, { role: 'reviewer' }),
    handedIn(material, 'kyc'),
    handedIn(material, 'kyc'),
    handedIn(material, 'kyb'),
    api.post({ subjectType: 'kyc', subjectReference: LONG }),
  ]);
  const erased = { id: idOf(erasedAnswer), url: String(dataOf(erasedAnswer).verificationUrl) };
  for (const { id } of [held, hidden]) await reviewer.act(id, 'approve');
  const hold = { reason: `${LONG} ${LONG}`, until: '2099-12-31T12:00' };
  for (const [form, fields] of [
    [`${held.id}/hold`, hold],
    [`${held.id}/relationship-end`, { endedAt: '2026-01-10T12:00' }],
    [`${hidden.id}/erase`, {}],
    [`${erased.id}/erase`, {}],
  ] as const) {
    expect((await owner.post(`${LIST}/${form}`, fields)).status, form).toBe(303);
  }

  const reader = await newReader('en', owner);
  await reader.look(LIST);
  await reader.look(`${LIST}/${held.id}?done=held`);
  await reader.look(`${LIST}/${held.id}/hold`);
  await reader.look(`${LIST}/${held.id}/release-hold`);
  await reader.look(`${LIST}/${held.id}/relationship-end`);
  await reader.look(`${LIST}/${held.id}/erase`);
  await reader.inFull.look(`${LIST}/${submitted.id}/erase`);
  await reader.look(`${LIST}/${hidden.id}?done=erasureRequested`);
  await reader.look(`${LIST}/${hidden.id}/open`);
  await reader.post(`${LIST}/${hidden.id}/open`, {}, 422);
  await reader.post(`${LIST}/${hidden.id}/open`, { reason: LONG }, 200);
  await reader.look(`${LIST}/${erased.id}?done=erased`);
  await reader.look('/dashboard/retention');
  await lookAtReport('/dashboard/retention/report');
  await lookAtRefusals(LIST);

  await reader.signInAs(operator);
  await reader.inFull.look('/review?status=rejected');
  await reader.look(`/review/${held.id}`);
  for (const { id } of [hidden, erased]) await reader.inFull.look(`/review/${id}`);
  for (const form of ['hold', 'release-hold', 'relationship-end', 'erase']) {
    await reader.look(`/review/${held.id}/${form}`);
  }
  await lookAtRefusals('/review');
  const policy = `/admin/clients/${clientId}/retention`;
  await reader.look(policy);
  await reader.post(policy, { approvedAfterEnd: 'P4Y', approvedLongest: LONG, useDefault: 'false' }, 422);
  await reader.look(`/admin/clients/${clientId}?done=retention`);
  await lookAtReport(`${policy}/report`);

  for (const { id, url } of [hidden, erased]) {
    await reader.takeSession(url);
    await reader.look(`/verify/${id}`);
  }
  reader.expectNothingWrong();

  async function lookAtReport(path: string): Promise<void> {
    await reader.look(path);
    await reader.look(`${path}.html`);
    await reader.look(`${path}.csv?month=${LONG}`, 400);
  }

  async function lookAtRefusals(area: string): Promise<void> {
    await reader.post(`${area}/${held.id}/hold`, { reason: '', until: 'soon' }, 422);
    await reader.post(`${area}/${held.id}/relationship-end`, { endedAt: '2099-01-01T00:00' }, 422);
    await reader.post(`${area}/${erased.id}/release-hold`, {}, 409);
    await reader.post(`${area}/${submitted.id}/erase`, {}, 409);
  }
}
