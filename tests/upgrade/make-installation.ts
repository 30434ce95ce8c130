import { type ApiClient, createApiClient, dataOf, idOf } from '@countersign/test-support/api/api-client';
import { givenClientOf, operate } from '@countersign/test-support/installation/operator';
import { card, pdf } from '@countersign/test-support/pages/pictures';
import { newMemberByLink, type StaffForms } from '@countersign/test-support/pages/staff-forms';
import { openSubjectForms, type SubjectContent } from '@countersign/test-support/pages/subject-forms';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { type InProgress, type KeptInstallation, readAll } from './kept-installation.ts';
import { setUpSecondFactor } from './second-factor.ts';

const SECRETS = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));

interface Tools {
  readonly api: ApiClient;
  readonly reviewer: StaffForms;
  readonly content: SubjectContent;
}

/**
 * Makes an installation with people, keys and verifications in each state, on a server of this version, and stops it. The
 * secret was rotated between its first and its last verification.
 */
export async function makeInstallation(dataDir: string, env: Environment): Promise<KeptInstallation> {
  const [oldSecret = '', newSecret = ''] = SECRETS;
  const first = await startServer({ dataDir, env: { ...env, SECRET_KEYS: oldSecret } });
  const { clientId, key } = await givenClientOf(first, {
    name: 'Bäckerei “Übermut”',
    plan: 'enterprise',
    monthlyLimit: 100,
  });
  const revokedKey = await makeRevokedKey(first, clientId);
  const { id: idempotent } = await create(createApiClient(first.baseUrl, key), 'kyc', 'unopened', {
    metadata: { order: 4711, tags: ['größer', null, 0.1] },
  });
  await first.stop();

  const secretKeys = `${newSecret},${oldSecret}`;
  const server = await startServer({ dataDir, env: { ...env, SECRET_KEYS: secretKeys } });
  const reviewer = await newMemberByLink(server, { role: 'reviewer', name: 'Rita Reviewer' });
  const owner = await newMemberByLink(server, { role: 'client', clientId, teamRole: 'owner', name: 'Olga Owner' });
  await newMemberByLink(server, { role: 'operator', name: 'Otto Operator' });
  const { secret } = await setUpSecondFactor(reviewer);
  await owner.confirm();
  const picture = new Uint8Array(await card('Specimen'));
  const content: SubjectContent = {
    file: (page) => new Blob([page === 'proof-of-address' ? new Uint8Array(pdf('Statement')) : picture]),
  };
  const tools = { api: createApiClient(server.baseUrl, key), reviewer, content };

  const unfinished = await makeUnfinished(tools);
  const submitted = await makeSubmitted(tools, 'kyc', 'submitted and claimed');
  await reviewer.act(submitted, 'claim');
  await reviewer.act(submitted, 'note', { 'note.internalNote': 'The name has an accent.' });
  await makeApproved(tools);
  await makeRejected(tools);
  await makeAskedAgain(tools);
  const inProgress = [
    ...(await makeInProgress(tools, 'kyc')),
    ...(await makeInProgress(tools, 'kyb')),
    ...(await makeAtOtherPages(tools)),
  ];
  const shown = await readAll(server, key, reviewer);
  const auditLines = (await operate(server, (core) => core.auditLines())).length;
  await server.stop();

  return {
    stoppedAt: new Date().toISOString(),
    secretKeys,
    clientId,
    key,
    revokedKey,
    reviewer: { email: reviewer.email, secret },
    owner: { email: owner.email, secret: null },
    ids: { idempotent, unfinished, submitted },
    inProgress,
    auditLines,
    shown,
  };
}

function makeRevokedKey(server: ServerProcess, clientId: string): Promise<string> {
  return operate(server, async ({ apiKeys }) => {
    const { key, value } = await apiKeys.issue(clientId, { name: 'Leaked', permissions: ['verifications:read'] });
    await apiKeys.revoke(clientId, key.id);
    return value;
  });
}

async function create(
  api: ApiClient,
  subjectType: 'kyc' | 'kyb',
  subjectReference: string,
  more: object = {},
): Promise<{ readonly id: string; readonly url: string }> {
  const body = { subjectType, subjectReference, ...more };
  const answer = await api.post(body, { 'Idempotency-Key': subjectReference });
  return { id: idOf(answer), url: String(dataOf(answer).verificationUrl) };
}

/** Leaves half a step as a draft, after a picture. */
async function makeUnfinished({ api, content }: Tools): Promise<string> {
  const { id, url } = await create(api, 'kyc', 'unfinished');
  await (await openSubjectForms(url, 'kyc')).walk(content, 'details');
  return id;
}

/** Leaves a verification at each page of a flow, and submits a last one. */
async function makeInProgress({ api, content }: Tools, type: 'kyc' | 'kyb'): Promise<InProgress[]> {
  const made: InProgress[] = [];
  for (let pages = 0; ; pages += 1) {
    const { id, url } = await create(api, type, `${type} after ${pages} pages`);
    const forms = await openSubjectForms(url, type);
    // The overview comes before the first page.
    for (let opened = 0; opened <= pages; opened += 1) await forms.next(content);
    if (forms.slug() === '') return made;
    made.push({ id, type, page: forms.slug() });
  }
}

/** Answers of a business that lead to pages which the usual answers leave out, by these pages. */
const LEADING_TO: Readonly<Record<string, NonNullable<SubjectContent['answers']>>> = {
  managers: { owners: { noBeneficialOwner: 'true' } },
  'document-back': { document: { 'document.type': 'id_card', 'document.issuingCountry': 'DE' } },
};

async function makeAtOtherPages({ api, content }: Tools): Promise<InProgress[]> {
  const made: InProgress[] = [];
  for (const [page, answers] of Object.entries(LEADING_TO)) {
    const { id, url } = await create(api, 'kyb', `kyb at ${page}`);
    const forms = await openSubjectForms(url, 'kyb');
    await forms.walk({ ...content, answers }, page);
    if (forms.slug() !== page) throw new Error(`the flow passes over ${page}`);
    made.push({ id, type: 'kyb', page });
  }
  return made;
}

async function makeSubmitted({ api, content }: Tools, type: 'kyc' | 'kyb', reference: string): Promise<string> {
  const { id, url } = await create(api, type, reference);
  await (await openSubjectForms(url, type)).walk(content);
  return id;
}

async function makeApproved(tools: Tools): Promise<void> {
  const id = await makeSubmitted(tools, 'kyb', 'approved');
  await tools.reviewer.act(id, 'approve', { 'approve.internalNote': 'The register agrees.' });
}

async function makeRejected(tools: Tools): Promise<void> {
  const id = await makeSubmitted(tools, 'kyc', 'rejected');
  await tools.reviewer.act(id, 'reject', {
    'reject.reasonCodes': 'data_mismatch',
    'reject.message': 'Zwei Namen',
  });
}

/** The first of the two steps is answered again; then the subject waits. */
async function makeAskedAgain(tools: Tools): Promise<void> {
  const id = await makeSubmitted(tools, 'kyc', 'asked again');
  await tools.reviewer.act(id, 'ask', {
    'ask.steps': 'document',
    'ask.document.reasonCode': 'data_mismatch',
    'ask.document.note': 'The front is cut off.',
    'ask.message': 'Please take the picture again.',
  });
  const { verificationUrl } = dataOf(await tools.api.get(`/verifications/${id}`));
  await (await openSubjectForms(String(verificationUrl), 'kyc')).walk(tools.content, 'document-back');
}
