import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describe, expect, it } from 'vitest';
import { singleSignOnSettings } from './single-sign-on-settings.ts';

const folder = temporaryFolder();
const ACME = { id: 'acme', name: 'Acme', issuer: 'https://login.example', clientId: 'countersign' };
const RULE = { claim: 'groups', value: 'reviewers', role: 'reviewer' };
let made = 0;

function fileWith(content: unknown): string {
  made += 1;
  const file = join(folder, `${made}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
  return file;
}

const read = (content: unknown, production = true) => singleSignOnSettings(fileWith(content), { production });
const withProvider = (change: object) => ({ providers: [{ ...ACME, ...change }] });

describe('SSO_PROVIDERS_FILE', () => {
  it('is optional', () => {
    expect(singleSignOnSettings(undefined, { production: true })).toBeUndefined();
  });

  it('trusts nothing and creates no user by default', () => {
    expect(read({ providers: [ACME] })?.options).toEqual({
      providers: [
        {
          ...ACME,
          clientSecret: null,
          scopes: ['openid', 'profile', 'email'],
          users: 'invited',
          trustsEmail: false,
          rules: [],
          secondFactor: { acr: [], amr: [] },
        },
      ],
      passwordsOff: [],
      allowsLoopback: false,
    });
  });

  it('reads a secret from a file of its own', () => {
    const secret = fileWith('the secret\n');
    const settings = read(withProvider({ clientSecretFile: secret }));
    expect(settings?.options.providers[0]?.clientSecret).toBe('the secret');
    expect(settings?.files).toMatchObject([{ file: secret, isReadableByAll: false }]);
  });

  it.each<[name: string, content: unknown, problem: string]>([
    ['no JSON', '{"providers": [secret', 'the file is not JSON'],
    ['another value', 'null', 'the content: '],
    ['no provider', { providers: [] }, 'providers: '],
    [
      'an unknown field',
      withProvider({ client_secret: 'secret' }),
      'providers.0: Unrecognized key: "client_secret"',
    ],
    ['an id with a slash', withProvider({ id: 'a/b' }), 'providers.0.id: must be lower-case letters'],
    ['no issuer', { providers: [{ ...ACME, issuer: undefined }] }, 'providers.0.issuer: '],
    ['an issuer without encryption', withProvider({ issuer: 'http://login.example' }), 'must begin with https://'],
    ['an issuer on this machine', withProvider({ issuer: 'http://localhost:1' }), 'must begin with https://'],
    ['an issuer with a query', withProvider({ issuer: 'https://login.example/?a=b' }), 'without a query'],
    ['an id twice', { providers: [ACME, { ...ACME, issuer: 'https://b.example' }] }, 'providers.1.id: another'],
    ['an issuer twice', { providers: [ACME, { ...ACME, id: 'b' }] }, 'providers.1.issuer: another'],
    ['two secrets', withProvider({ clientSecret: 'secret', clientSecretFile: 'x' }), 'give one'],
    ['no scope openid', withProvider({ scopes: ['email'] }), 'providers.0.scopes: scopes must include openid'],
    ['new users without rules', withProvider({ users: 'provisioned' }), 'providers.0.roles: is needed'],
    ['a rule without a client', withProvider({ roles: [{ ...RULE, role: 'client' }] }), 'needs clientId'],
    ['a rule with a client too many', withProvider({ roles: [{ ...RULE, clientId: 'c' }] }), 'needs clientId'],
    ['a team role too many', withProvider({ roles: [{ ...RULE, teamRole: 'owner' }] }), 'may have teamRole'],
    ['an unknown role', { providers: [ACME], passwordsOff: ['admin'] }, 'passwordsOff.0: '],
    ['a missing file of a secret', withProvider({ clientSecretFile: '/nowhere' }), 'the file does not exist'],
  ])('with %s is refused in one line that names the place and no secret', (_, content, problem) => {
    expect(() => read(content)).toThrow(problem);
    expect(() => read(content)).toThrow(/^SSO_PROVIDERS_FILE [^\n]*$/);
    expect(() => read(content)).not.toThrow(/: .*\[secret/);
  });

  it('that is missing is refused', () => {
    expect(() => singleSignOnSettings(join(folder, 'none'), { production: true })).toThrow('ENOENT');
  });

  it('allows a provider on this machine in development only', () => {
    const local = withProvider({ issuer: 'http://localhost:4000' });
    expect(read(local, false)?.options).toMatchObject({ allowsLoopback: true });
    expect(() => read(withProvider({ issuer: 'http://login.example' }), false)).toThrow('https://');
  });
});
