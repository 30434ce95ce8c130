import { isIP } from 'node:net';
import type { DemoClient, DemoStaff } from './demo.ts';

/** Returns the text printed after the start. It contains the demo's secrets, so it never goes to the log. */
export function bannerText(options: {
  host: string;
  port: number;
  publicBaseUrl: string;
  demo: DemoClient | undefined;
  demoStaff: DemoStaff | undefined;
  /** Makes the subject reference of the printed request unique. */
  uniqueSuffix: string;
}): string {
  const address = `http://${reachable(options.host)}:${options.port}`;
  const lines = ['', `  Countersign listens on ${address}`, `  API reference: ${options.publicBaseUrl}/docs`, ''];
  if (options.demo !== undefined) {
    const { clientId, key, testKey } = options.demo;
    lines.push(
      '  Created a demo client with a Standard subscription, because the database was empty.',
      `  Client:   ${clientId}`,
      `  Key:      ${key}   (shown only once)`,
      `  Test key: ${testKey}   (shown only once)`,
      '',
      '  Create a verification:',
      '',
      curlLine(address, key, { subjectReference: `demo-${options.uniqueSuffix}` }),
      '',
      '  Create one in test mode. It is approved automatically:',
      '',
      curlLine(address, testKey, {
        subjectReference: `test-${options.uniqueSuffix}`,
        metadata: { sandboxOutcome: 'approved' },
      }),
      '',
    );
  }
  if (options.demoStaff !== undefined) {
    const { team, operator } = options.demoStaff;
    lines.push(
      '  Sign in with these links. Each sets a password, once and within a day.',
      '',
      `  Client dashboard, as ${team.email}`,
      `  ${team.signInUrl}`,
      '',
      `  Review and operations, as ${operator.email}`,
      `  ${operator.signInUrl}`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** One line without indentation, to be pasted into a shell. */
function curlLine(address: string, key: string, fields: object): string {
  const body = JSON.stringify({ subjectType: 'kyc', ...fields });
  return `curl -sS -X POST ${address}/api/v1/verifications -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${body}'`;
}

/** Returns the loopback address for an address that means every interface. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
