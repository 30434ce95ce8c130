// The server of the measurements of uploads, and subjects who are at an upload.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openSubjectForms } from '../../packages/test-support/pages/subject-forms.ts';
import { createClientsInSqlite } from './create-clients.mjs';
import { startServer } from './programs.mjs';
import { workFolder } from './work-folder.mjs';

/** @typedef {import('../../packages/test-support/pages/subject-forms.ts').SubjectForms} Subject */

export const PUBLIC_BASE_URL = 'https://verify.example';
/** The upload that subjects are at. */
export const UPLOAD_PAGE = 'document-front';

/** @param {string} name of its folder of data */
export async function startUploadsServer(name) {
  const folder = workFolder();
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  const [client] = await createClientsInSqlite(join(dataDir, 'countersign.db'), 1);
  const server = await startServer({
    database: { env: { DATA_DIR: dataDir }, rowsOf: () => undefined },
    logFile: join(folder, `${name}.log`),
    secrets: { secret: randomBytes(32).toString('hex'), publicBaseUrl: PUBLIC_BASE_URL },
  });
  const address = `http://127.0.0.1:${server.port}`;
  const api = `${address}/api/v1/verifications`;
  const headers = { 'X-API-Key': client?.key ?? '', 'Content-Type': 'application/json' };

  return {
    server,

    /** Creates a subject who is at the picture of the document. @returns {Promise<Subject>} */
    async subject() {
      const body = JSON.stringify({ subjectType: 'kyc', subjectReference: randomBytes(8).toString('hex') });
      const response = await fetch(api, { method: 'POST', headers, body });
      const { data } = /** @type {{ data: { verificationUrl: string } }} */ (await response.json());
      const forms = await openSubjectForms(data.verificationUrl, 'kyc', { address });
      await forms.walk({ file: () => null }, UPLOAD_PAGE);
      return forms;
    },

    /** Lists verifications, as a client does. @returns {Promise<number>} the status */
    async list() {
      const response = await fetch(`${api}?limit=10`, { headers });
      await response.arrayBuffer();
      return response.status;
    },
  };
}

/** @param {Buffer} picture */
export function formOf(picture) {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)]), 'picture');
  return form;
}
