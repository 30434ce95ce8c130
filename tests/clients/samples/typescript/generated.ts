import createClient from 'openapi-fetch';
import type { paths } from './countersign.ts';

const api = createClient<paths>({
  baseUrl: process.env.BASE ?? '',
  headers: { 'X-API-Key': process.env.KEY ?? '' },
  redirect: 'manual', // the key would go along
});

const headers = () => ({ 'Idempotency-Key': crypto.randomUUID() });
const body = { subjectType: 'kyc', subjectReference: 'user_generated' } as const;

const answer = await api.POST('/verifications', { body, params: { header: headers() } });
if (answer.data === undefined) throw new Error(answer.error.code);
const created = answer.data.data;
console.log('created', created.verificationUrl);

const { error } = await api.POST('/verifications', { body, params: { header: headers() } });
if (error?.code === 'DUPLICATE_SUBJECT_REFERENCE') console.log('refused', error.code, error.data.verificationId);

const path = { id: created.id };
const read = await api.GET('/verifications/{id}', { params: { path } });
console.log('read', read.data?.data.status);
const list = await api.GET('/verifications', { params: { query: { limit: 100 } } });
for (const { id } of list.data?.data.verifications ?? []) {
  const { data } = await api.GET('/verifications/{id}/details', { params: { path: { id } } });
  console.log('details', data?.data.status, data?.data.totalSteps);
}

const withdrawn = await api.POST('/verifications/{id}/withdraw', { params: { path } });
console.log('withdrawn', withdrawn.data?.data.status);
