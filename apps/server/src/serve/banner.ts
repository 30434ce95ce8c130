import { isIP } from 'node:net';
import type { DemoClient, DemoStaff } from './demo.ts';

/** What a person at the terminal reads after the start. It holds the demo's secrets, so it never passes through the log. */
export function bannerText(options: {
  host: string;
  port: number;
  publicBaseUrl: string;
  demo: DemoClient | undefined;
  demoStaff: DemoStaff | undefined;
  /** Makes the reference of the printed request one that no verification has. */
  uniqueSuffix: string;
}): string {
  const address = `http://${reachable(options.host)}:${options.port}`;
  const lines = ['', `  Countersign listens on ${address}`, `  API reference: ${options.publicBaseUrl}/docs`, ''];
  if (options.demo !== undefined) {
    const { clientId, key } = options.demo;
    lines.push(
      '  The database was empty, so a demo client with a Standard subscription was made.',
      `  Client: ${clientId}`,
      `  Key:    ${key}   (shown only now)`,
      '',
      '  Create a verification:',
      '',
      curlLine(address, key, `demo-${options.uniqueSuffix}`),
      '',
    );
  }
  if (options.demoStaff !== undefined) {
    const { team, operator } = options.demoStaff;
    lines.push(
      '  Sign in: each link sets a password, once and within a day.',
      '',
      `  The client's dashboard, as ${team.email}`,
      `  ${team.signInUrl}`,
      '',
      `  Reviewing and operating, as ${operator.email}`,
      `  ${operator.signInUrl}`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}

/** One line, without indentation, for the shell. */
function curlLine(address: string, key: string, subjectReference: string): string {
  const body = JSON.stringify({ subjectType: 'kyc', subjectReference });
  return `curl -sS -X POST ${address}/api/v1/verifications -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '${body}'`;
}

/** An address that means every interface is none to send a request to. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}
