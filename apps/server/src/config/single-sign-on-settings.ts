import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ProviderSettings, SingleSignOnOptions } from '@countersign/accounts';
import { belongsToClient, STAFF_ROLES, TEAM_ROLES } from '@countersign/domain/staff';
import { z } from 'zod';
import { isSystemError, SettingError } from './errors.ts';
import { readSecretFile, type SecretFile } from './secret-files.ts';

// Errors name the file and the field and never quote the content, which may hold a secret.

const VARIABLE = 'SSO_PROVIDERS_FILE';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const text = z.string().min(1).max(1_000);

const rule = z
  .strictObject({
    claim: text,
    value: text,
    role: z.enum(STAFF_ROLES),
    clientId: text.optional(),
    teamRole: z.enum(TEAM_ROLES).optional(),
  })
  .refine(({ role, clientId }) => belongsToClient(role) === (clientId !== undefined), {
    message: 'needs clientId with the role client, and with no other',
  })
  .refine(({ role, teamRole }) => belongsToClient(role) || teamRole === undefined, {
    message: 'may have teamRole with the role client only',
  });

const provider = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'must be lower-case letters, digits and hyphens'),
    name: z.string().min(1).max(50),
    issuer: z.url(),
    clientId: text,
    clientSecret: text.optional(),
    clientSecretFile: text.optional(),
    scopes: z.array(text).default(['openid', 'profile', 'email']),
    users: z.enum(['invited', 'provisioned']).default('invited'),
    trustEmail: z.boolean().default(false),
    roles: z.array(rule).max(1_000).default([]),
    secondFactor: z
      .strictObject({ acr: z.array(text).default([]), amr: z.array(text).default([]) })
      .default({ acr: [], amr: [] }),
  })
  .refine(({ clientSecret, clientSecretFile }) => clientSecret === undefined || clientSecretFile === undefined, {
    message: 'has clientSecret and clientSecretFile: give one',
  })
  .refine(({ scopes }) => scopes.includes('openid'), { message: 'scopes must include openid', path: ['scopes'] })
  .refine(({ users, roles }) => users === 'invited' || roles.length > 0, {
    message: 'is needed with users: provisioned',
    path: ['roles'],
  });

const schema = z.strictObject({
  providers: z.array(provider).min(1).max(20),
  passwordsOff: z.array(z.enum(STAFF_ROLES)).default([]),
});

/** How users sign in at identity providers, and the files that hold secrets for it. */
export interface SingleSignOnSettings {
  readonly options: SingleSignOnOptions;
  readonly files: readonly SecretFile[];
}

/**
 * Reads the file of identity providers. Undefined without one.
 * @throws SettingError
 */
export function singleSignOnSettings(
  path: string | undefined,
  { production }: { readonly production: boolean },
): SingleSignOnSettings | undefined {
  if (path === undefined) return undefined;
  const file = resolve(path);
  const refuse = (problem: string, options?: ErrorOptions): never => {
    throw new SettingError(VARIABLE, `is ${JSON.stringify(file.slice(0, 200))}: ${problem}`, options);
  };
  const parsed = schema.safeParse(contentOf(file, refuse));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refuse(`${issue?.path.join('.') || 'the content'}: ${issue?.message}`);
  }
  const { providers, passwordsOff } = parsed.data;
  const files: SecretFile[] = [];
  for (const [index, { id, issuer }] of providers.entries()) {
    const earlier = providers.slice(0, index);
    if (earlier.some((each) => each.id === id)) refuse(`providers.${index}.id: another provider has it`);
    if (earlier.some((each) => each.issuer === issuer))
      refuse(`providers.${index}.issuer: another provider has it`);
    requireEncryption(issuer, production, (problem) => refuse(`providers.${index}.issuer: ${problem}`));
  }
  const settings = providers.map(
    ({ clientSecret, clientSecretFile, trustEmail, roles, ...each }): ProviderSettings => {
      const secret = clientSecretFile === undefined ? undefined : secretIn(clientSecretFile);
      if (secret !== undefined) files.push(secret);
      return {
        ...each,
        clientSecret: secret?.value ?? clientSecret ?? null,
        trustsEmail: trustEmail,
        rules: roles,
      };
    },
  );
  return { options: { providers: settings, passwordsOff, allowsLoopback: !production }, files };
}

function secretIn(path: string): SecretFile & { readonly value: string } {
  return readSecretFile(`${VARIABLE} clientSecretFile`, path, { isList: false });
}

function contentOf(file: string, refuse: (problem: string, options?: ErrorOptions) => never): unknown {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refuse(`${error.code}, expected a JSON file that the server's user can read`, { cause: error });
  }
  try {
    return JSON.parse(content) as unknown;
  } catch {
    // The error of the parser quotes the content.
    return refuse('the file is not JSON');
  }
}

/** Codes, tokens and the client's secret pass between server and provider. */
function requireEncryption(issuer: string, production: boolean, refuse: (problem: string) => never): void {
  const { protocol, hostname, search, hash, username } = new URL(issuer);
  if (search !== '' || hash !== '' || username !== '') refuse('must be an address without a query, # or user');
  if (protocol === 'https:') return;
  if (protocol === 'http:' && !production && LOOPBACK.includes(hostname)) return;
  refuse('must begin with https://');
}
