import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createAccounts } from '@countersign/accounts';
import { createCountersign } from '@countersign/domain';
import { createEvidenceIntake, createFileEvidenceStore } from '@countersign/evidence';
import { createApi, openApiDocument } from '@countersign/http';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createNumberChecks, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { createWeb } from '@countersign/web';
import { Hono } from 'hono';

// Everything the server serves, embedded in an application: sealed storage, accounts and files.
const folder = 'whole';
const file = `${folder}/countersign.db`;
const publicBaseUrl = 'https://verify.example';
const secretKeys = [randomBytes(32)];
const sealing = createSealing({ keys: createKeyRing(secretKeys) });
const clock = createSystemClock();
const ids = createUuidIds();
const secrets = createNodeSecrets(secretKeys);
const rateLimiter = createMemoryRateLimiter();

const storage = await createSqliteStorage({ file });
const evidence = {
  store: createFileEvidenceStore({ directory: `${folder}/evidence` }),
  intake: createEvidenceIntake({ spoolDirectory: `${folder}/uploads` }),
};
const accounts = await createAccounts({
  database: { kind: 'sqlite', file },
  secretKeys,
  publicBaseUrl,
  rateLimiter,
  clock,
});
const countersign = createCountersign(
  {
    storage,
    sealing,
    rateLimiter,
    clock,
    ids,
    secrets,
    evidence,
    numberChecks: createNumberChecks(),
    staff: accounts,
  },
  { publicBaseUrl },
);

const surroundings = {
  clientAddress: () => '192.0.2.1',
  newRequestId: () => ids.next(),
  onFault: (fault: unknown) => console.error(fault),
};
const app = new Hono().route('/api/v1', createApi(countersign, surroundings)).route(
  '/',
  createWeb({
    countersign,
    signIn: accounts,
    accounts,
    secrets,
    clock,
    publicBaseUrl,
    apiDocument: () => openApiDocument({ serverUrl: `${publicBaseUrl}/api/v1` }),
    ...surroundings,
  }),
);

const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
const invited = await accounts.create({ email: 'rita@example.org', role: 'reviewer', name: 'Rita' });
if (invited.outcome === 'exists') throw new Error('the database was empty');

const created = await app.request('/api/v1/verifications', {
  method: 'POST',
  headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ subjectType: 'kyc', subjectReference: 'user_1' }),
});
const { data } = (await created.json()) as { data: { verificationUrl: string } };
const opened = await app.request(data.verificationUrl);
const Cookie = (opened.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
const start = new URL(opened.headers.get('location') ?? '', publicBaseUrl).pathname;
const consent = {
  method: 'POST',
  headers: { Cookie, Origin: publicBaseUrl },
  body: new URLSearchParams({ accepted: 'true' }),
};

const pages = [
  created,
  await app.request(start, { headers: { Cookie, 'Accept-Language': 'de' } }),
  await app.request(`${start}/consent`, consent),
  await app.request('/account/sign-in'),
  await app.request(invited.invitationPath),
  await app.request('/docs/reference'),
];
const style = /href="([^"]+\.css)"/.exec(await (pages[3] as Response).text())?.[1] ?? '';
const stylesheet = await app.request(style);
console.log([...pages, stylesheet].map(({ status }) => status).join(' '));
console.log(/<h1[^>]*>(.*?)<\/h1>/.exec(await (pages[1] as Response).text())?.[1]);

// The intake redraws files in a child process: it must find the program in the installed package, and pdfium for a PDF.
// A black square of 600 pixels, the least that the intake accepts.
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAlgAAAJYAQAAAACWHaVxAAAAQ0lEQVR42u3BAQ0AAADCoPdPbQ43oAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAvg2yIAABW5v6kQAAAABJRU5ErkJggg==',
  'base64',
);
const document = Buffer.from(`%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 90 90] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`);
for (const content of [picture, document]) {
  const { contentType, pages = [] } = await evidence.intake.receive(Readable.from([content]), { pdf: true });
  console.log(contentType, pages.length);
}

await accounts.close();
await storage.close();
