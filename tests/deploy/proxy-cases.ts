import { connect, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { UPLOAD_MAX_BYTES } from '@countersign/domain/evidence';
import { createApiClient, dataOf, idOf, kindsOf, newSubject } from '@countersign/test-support/api/api-client';
import { requestSteadily } from '@countersign/test-support/api/steady-requests';
import { extent } from '@countersign/test-support/installation/extent';
import { givenClientOf } from '@countersign/test-support/installation/operator';
import { verificationsIn } from '@countersign/test-support/installation/postgres-database';
import { card } from '@countersign/test-support/pages/pictures';
import {
  openSubjectForms,
  type SubjectContent,
  type SubjectForms,
} from '@countersign/test-support/pages/subject-forms';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { until } from '@countersign/test-support/processes/until';
import { describeWith, proxyPorts, type ReverseProxy, startPostgres } from '@countersign/test-support/servers';
import { LOCALHOST_CERTIFICATE } from '@countersign/test-support/servers/localhost-certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ProxySample } from './proxy-samples.ts';

const REQUESTS_PER_SECOND = extent({ full: 40, short: 10 });
/** Requests between two changes of the servers. */
const ENOUGH = extent({ full: 80, short: 10 });

/** The log line of a request that the load sends. */
const REQUEST_OF_API = /"path":"\/api\/v1\/verifications/;

/** Tests two servers behind a proxy. */
export function proxyCases({ kind, start, tooLarge, tooSlow, hasAccessLog }: ProxySample): void {
  describeWith(['postgres', kind], `two servers behind the sample of ${kind}, with TLS`, () => {
    const trusted = getCACertificates('default');
    let proxy: ReverseProxy;
    let servers: [ServerProcess, ServerProcess];
    let database: string;
    let client: { clientId: string; key: string };
    /** The first lines that 50 slow clients receive. They are slow while the other cases run. */
    let slow: Promise<readonly string[]>;
    const postgresStarts = startPostgres({ fsync: false });

    beforeAll(async () => {
      setDefaultCACertificates([...trusted, LOCALHOST_CERTIFICATE]);
      const ports = await proxyPorts();
      database = await (await postgresStarts).createDatabase();
      const env = {
        ANONYMOUS_REQUESTS_PER_MINUTE: '100',
        DATABASE_URL: database,
        EVIDENCE_URL: `file:${temporaryFolder()}`,
        SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'),
        PUBLIC_BASE_URL: `https://localhost:${ports.tls}`,
        TRUST_PROXY: '1',
        STOP_DELAY_SECONDS: '2',
      };
      const first = await startServer({ env });
      servers = [first, await startServer({ env })];
      client = await givenClientOf(first, { plan: 'enterprise', monthlyLimit: 1_000_000 });
      proxy = await start(servers, ports);
      const head = `POST /api/v1/verifications HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${client.key}\r\n`;
      const text = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
      slow = Promise.all(Array.from({ length: 50 }, () => answerOver(proxy.port, text)));
      slow.catch(() => undefined);
    });
    afterAll(async () => {
      setDefaultCACertificates(trusted);
      await proxy.stop();
      for (const server of servers) await server.stop();
      await (await postgresStarts).stop();
    });

    const api = () => createApiClient(`${proxy.origin}/api/v1`, client.key);

    /** Creates a subject at the upload of the document's front. */
    async function atTheDocument(
      reference: string,
      content: SubjectContent,
    ): Promise<{ id: string; forms: SubjectForms }> {
      const created = await api().post(newSubject(reference));
      const forms = await openSubjectForms(String(dataOf(created).verificationUrl), 'kyc');
      await forms.walk(content, 'document-front');
      return { id: idOf(created), forms };
    }

    it('a subject completes a verification, from the link to the last page', async () => {
      const picture = new Uint8Array(await card('Specimen'));
      const content = { file: () => new Blob([picture]) };
      const { id, forms } = await atTheDocument('subject-1', content);
      await forms.walk(content);
      expect(dataOf(await api().get(`/verifications/${id}`)).status).toBe('submitted');
    });

    it('a file of 25 MB is accepted, a larger one is refused by the server, and one of 55 MB by the proxy', async () => {
      const picture = await card('Specimen');
      const padded = Buffer.concat([picture, Buffer.alloc(UPLOAD_MAX_BYTES - picture.length)]);
      const content = { file: () => new Blob([new Uint8Array(picture)]) };
      const { forms } = await atTheDocument('subject-2', content);
      const upload = (bytes: Uint8Array) => {
        const body = new FormData();
        body.set('file', new Blob([new Uint8Array(bytes)]), 'picture.jpg');
        return forms.post('document-front', body);
      };

      const larger = await upload(Buffer.concat([padded, Buffer.alloc(1)]));
      expect([larger.status, await larger.text()]).toEqual([413, expect.stringContaining('larger than 25 MB')]);
      const far = await upload(Buffer.alloc(55 * 1024 * 1024));
      expect([far.status, await far.text()]).toEqual([413, expect.stringMatching(tooLarge)]);
      expect((await upload(padded)).status).toBe(303);
    });

    it('a client cannot choose the address that it is counted by', async () => {
      const spoofed = (n: number) =>
        fetch(`${proxy.origin}/api/v1/verifications`, { headers: { 'X-Forwarded-For': `192.0.2.${n}` } });
      const answers = [];
      for (let n = 0; n < 3; n++) answers.push(await spoofed(n));
      const left = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
      expect(left[2]).toBe((left[0] ?? 0) - 2);
    });

    it('slow clients hold no place: others are served, and the connections of slow ones end', async () => {
      const load = requestSteadily(proxy.origin, client.key, REQUESTS_PER_SECOND, 'beside');
      const statuses = await slow;
      const { faults } = await load.stop();
      expect(faults).toEqual([]);
      expect(statuses.filter((line) => !tooSlow.test(line))).toEqual([]);
    });

    it('hands over: both servers restart under load, one after the other, and no request fails', async () => {
      const load = requestSteadily(proxy.origin, client.key, REQUESTS_PER_SECOND, 'handed');
      for (const n of [0, 1] as const) {
        const before = load.answered();
        await until(() => load.answered() >= before + ENOUGH);
        const { dataDir, env, port } = servers[n];
        expect((await servers[n].stop()).code).toBe(0);
        const without = load.answered();
        await until(() => load.answered() >= without + ENOUGH);
        servers[n] = await startServer({ dataDir, env, port });
        // Until then, the proxy takes it for a server that is down.
        await servers[n].says(REQUEST_OF_API);
      }
      const { faults, answers, created } = await load.stop();
      expect(faults).toEqual([]);
      expect(kindsOf(answers)).toEqual({ '200': expect.any(Number) as number, '201': created.size });
      const stored = await verificationsIn(database, client.clientId);
      expect([...created].filter(([reference, id]) => stored.get(reference) !== id)).toEqual([]);
    });

    it('logs no address and no path, also of slow clients and while servers restart or are down', async () => {
      const { verificationUrl } = dataOf(await api().post(newSubject('in the log')));
      const { pathname } = new URL(String(verificationUrl));
      expect((await fetch(String(verificationUrl), { redirect: 'manual' })).status).toBe(303);
      for (const server of servers) await server.stop();
      expect((await fetch(String(verificationUrl))).status).toBeGreaterThanOrEqual(500);
      if (hasAccessLog) await until(() => proxy.log().split('\n').length > 10);
      expect(proxy.log()).not.toContain(pathname);
      expect(proxy.log()).not.toMatch(/\/verify|\/verifications|127\.0\.0\.1 |::1/);
    });
  });
}

/** Sends the beginning of a request and returns the first line of what is answered until the connection ends. */
function answerOver(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: LOCALHOST_CERTIFICATE }, () =>
      socket.write(text),
    );
    socket.setEncoding('utf8').on('data', (part: string) => {
      received += part;
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received.split('\r\n', 1)[0] ?? ''));
  });
}
