import { CountersignApiError, createClient } from '@countersign/client';

const client = createClient({
  baseUrl: process.env.BASE ?? '',
  apiKey: process.env.KEY ?? '',
});

const created = await client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_typescript' });
console.log('created', created.verificationUrl);

try {
  await client.verifications.create({ subjectType: 'kyc', subjectReference: 'user_typescript' });
} catch (error) {
  if (!(error instanceof CountersignApiError && error.code === 'DUPLICATE_SUBJECT_REFERENCE')) throw error;
  console.log('refused', error.code, error.data.verificationId); // `data` is typed by the code
}

console.log('read', (await client.verifications.get(created.id)).status);
for await (const listed of client.verifications.listAll()) {
  const { status, totalSteps } = await client.verifications.details(listed.id);
  console.log('details', status, totalSteps);
}

console.log('withdrawn', (await client.verifications.withdraw(created.id)).status);
