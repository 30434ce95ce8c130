import type { AuditFact, AuditOutcome } from '@countersign/domain';
import { ACTIONS, AUDIT_ACTIONS, setReturnAddresses } from '@countersign/domain/actions';
import { RETENTION_PERIODS } from '@countersign/domain/retention';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLARA, OLGA, RITA } from '../../../test-support/console.ts';
import { VERA } from '../../../test-support/dashboard.ts';
import { type GivenOperator, givenOperator } from '../../../test-support/operator.ts';
import { hasMessage, translator } from '../../site/messages.ts';
import { areaIn } from './audit-columns.tsx';

let given: GivenOperator;

beforeEach(async () => {
  given = await givenOperator();
});

const page = (query = '') => given.open(`/admin/audit${query}`);

/** A case opened by a reviewer, a user removed by an operator, and a page refused to a client. */
async function givenLines(): Promise<string> {
  const id = await given.submitted();
  await given.get(`/review/${id}`, RITA);
  await given.send(`/admin/users/${VERA}/remove`, { email: 'vera@example.org' });
  await given.get('/admin/users', CLARA);
  return id;
}

describe('the audit log', () => {
  it('shows actor, action, time, address and target, newest first', async () => {
    const id = await givenLines();
    const { words, text } = await page();
    const [newest, removed, opened] = [
      'Request a page or send a form Refused Clara Client Acme Bank 1 min ago Entry',
      'Remove a user Olga Op User , Acme Bank 1 min ago Entry',
      'Open a case Rita Ora Verification , Acme Bank 1 min ago Entry',
    ].map((line) => words.indexOf(line));
    expect(newest).toBeGreaterThan(0);
    expect(removed).toBeGreaterThan(newest ?? 0);
    expect(opened).toBeGreaterThan(removed ?? 0);
    expect(words).toContain(
      `When 15 Jan 2026, 12:00 UTC User Clara Client, Client’s staff ${CLARA} IP address 192.0.2.1 Client ${given.clientId} page /admin/users method GET reason role code NOT_ALLOWED`,
    );
    for (const target of [VERA, id]) expect(words).toContain(`About ${target}`);
    expect(text).toContain(`href="/kyc/review/${id}"`);
    expect(text).toContain(`href="/kyc/admin/clients/${given.clientId}"`);
    expect(text).toContain(`href="/kyc/admin/audit?actor=${RITA}"`);
  });

  it('offers the actions in the language of each reader', async () => {
    await givenLines();
    const optionIn = async (language: string): Promise<string> => {
      const response = await given.ask('/admin/audit', OLGA, { headers: { 'Accept-Language': language } });
      return /<option value="users.remove">([^<]+)</.exec(await response.text())?.[1] ?? '';
    };
    const inEnglish = await optionIn('en');
    const inGerman = await optionIn('de');
    expect([inEnglish, inGerman]).toEqual(
      [translator('en'), translator('de')].map((t) => t('actions:users.remove.name')),
    );
    expect(await optionIn('en')).toBe(inEnglish);
  });

  it('says how to verify it', async () => {
    expect((await page()).words).toContain('countersign audit verify');
  });

  it('names the command line and anonymous visitors', async () => {
    const byHand = given.countersign.as({ kind: 'command_line' });
    await byHand.run(setReturnAddresses, { clientId: given.clientId, returnAddresses: [] });
    await given.post('/review/keys', {}, null);
    const { words } = await page();
    expect(words).toContain('Set a client’s return addresses Command line Acme Bank');
    expect(words).toContain('Request a page or send a form Refused Not signed in 1 min ago');
  });

  it('leads from an entry that says what came of another to it', async () => {
    await given.send('/admin/clients/new', { name: 'Gamma', plan: 'standard' });
    expect((await page()).words).toContain('follows entry 1');
  });

  it.each([
    [`?actor=${RITA}`, 'Rita Ora', 'Olga Op, Operator'],
    ['?action=users.remove', 'Remove a user Olga Op', 'Rita Ora'],
    ['?outcome=refused', 'Clara Client', 'Rita Ora'],
  ])('the audit log is filtered by %s', async (query, shown, hidden) => {
    await givenLines();
    const { status, words } = await page(query);
    expect(status).toBe(200);
    expect(words).toContain(shown);
    expect(words).not.toContain(hidden);
  });

  it('the audit log is filtered by days in UTC, both included', async () => {
    await givenLines();
    for (const query of ['?from=2026-01-15', '?until=2026-01-15', '?from=2026-01-15&until=2026-01-15']) {
      expect((await page(query)).words).toContain('Rita Ora');
    }
    for (const query of ['?from=2026-01-16', '?until=2026-01-14']) {
      expect((await page(query)).words).toContain('No entry matches these filters');
    }
  });

  it('the audit log is filtered by e-mail address, or by its beginning if one user has it', async () => {
    await givenLines();
    for (const typed of ['rita@example.org', 'RITA@example.org', 'rita@']) {
      const { status, words, text } = await page(`?actor=${encodeURIComponent(typed)}&from=2026-01-15`);
      expect(status).toBe(200);
      expect(words).toContain('Rita Ora');
      expect(words).not.toContain('Olga Op, Operator');
      expect(text).toContain('value="rita@example.org"');
    }
  });

  it('the audit log can be filtered by each action that entries have', async () => {
    await givenLines();
    const { text } = await page();
    expect(AUDIT_ACTIONS.filter((action) => !text.includes(`<option value="${action}">`))).toEqual([]);
    expect((await page('?action=exports.download')).status).toBe(200);
  });

  it('the audit log is filtered by client', async () => {
    await givenLines();
    expect((await page(`?client=${given.clientId}`)).words).toContain('Rita Ora');
    const other = await page(`?client=${given.foreign.clientId}`);
    expect(other.words).toContain('No entry matches these filters');
    expect((await page('?client=no-such-client')).words).toContain('No entry matches these filters');
  });

  it.each([
    ['?action=api_keys.steal', 'There is no such action'],
    ['?outcome=perhaps', 'There is no such outcome'],
    [`?actor=${'x'.repeat(101)}`, 'Enter an e-mail address, or copy a user id'],
    ['?actor=a%00b', 'Enter an e-mail address, or copy a user id'],
    ['?client=a%0Ab', 'This is not a valid id of a client'],
    ['?actor=unknown%40example.org', 'No user has this e-mail address'],
    ['?actor=%40', 'No user has this e-mail address'],
    ['?from=2026-02-30', '“2026-02-30” is not a valid day'],
    ['?from=yesterday', '“yesterday” is not a valid day'],
    ['?until=0001-01-01', '“0001-01-01” is not a valid day'],
    ['?until=9999-12-31', '“9999-12-31” is not a valid day'],
    ['?from=2026-01-16&until=2026-01-15', 'The last day must not be before the first day'],
    ['?before=0', 'does not lead to a page of the log'],
    ['?before=first', 'does not lead to a page of the log'],
    ['?before=99999999999999999999', 'does not lead to a page of the log'],
  ])('shows no lines for %s', async (query, message) => {
    await givenLines();
    const { status, words } = await page(query);
    expect(status).toBe(400);
    expect(words).toContain(message);
    expect(words).toContain('Nothing is listed until the filters are valid');
    expect(words).not.toContain('Open a case Rita Ora');
  });

  it('the audit log has older pages, which keep the filters', async () => {
    const { run } = given.countersign.as({ kind: 'command_line' });
    const input = { clientId: given.clientId, returnAddresses: [] };
    for (let index = 0; index < 60; index += 1) await run(setReturnAddresses, input);
    const first = await page('?action=clients.set_return_addresses');
    expect(first.words.match(/Set a client’s return addresses Command line/g)).toHaveLength(50);
    expect(first.text).toContain('href="/kyc/admin/audit?action=clients.set_return_addresses&amp;before=11"');
    const second = await page('?action=clients.set_return_addresses&before=11');
    expect(second.words.match(/Set a client’s return addresses Command line/g)).toHaveLength(10);
    expect(second.words).toContain('These are the oldest');
    expect(second.text).toContain('href="/kyc/admin/audit?action=clients.set_return_addresses"');
  });

  it('names API keys by their kind, and background jobs', async () => {
    const { audit } = given.ports.storage;
    const head = await audit.head();
    let previousHash = head?.hash ?? '0'.repeat(64);
    for (const [index, actor] of [
      { kind: 'api_key', id: 'key-1' } as const,
      { kind: 'system', id: null } as const,
    ].entries()) {
      const sequence = (head?.sequence ?? 0) + index + 1;
      const hash = String(index + 1).padStart(64, 'e');
      const fact = { at: given.ports.clock.now(), actor, from: null, outcome: 'allowed', detail: {} } as const;
      const about = { action: 'retention.erase', clientId: null, targetId: 'verification-1' } as const;
      await audit.append({ ...fact, ...about, sequence, previousHash, hash });
      previousHash = hash;
    }
    const { words, text } = await page('?action=retention.erase');
    expect(words).toContain('API key Verification 1 min ago');
    expect(words).toContain('User API key key-1');
    expect(words).toContain('A background job');
    expect(text).toContain('href="/kyc/review/verification-1"');
  });

  it('the audit log has words for entries of the sandbox switch, which version 0.2 had', async () => {
    const { audit } = given.ports.storage;
    const head = await audit.head();
    await audit.append({
      sequence: (head?.sequence ?? 0) + 1,
      previousHash: head?.hash ?? '0'.repeat(64),
      hash: 'e'.repeat(64),
      at: given.ports.clock.now(),
      actor: { kind: 'operator', id: null },
      from: null,
      action: 'clients.switch_sandbox',
      outcome: 'allowed',
      clientId: given.clientId,
      targetId: given.clientId,
      detail: { sandbox: true },
    });
    expect((await page()).words).toMatch(/Switch the sandbox Command line Acme Bank .*sandbox Yes/);
  });

  it('the audit log has a word for each detail that an action keeps', () => {
    const kept = new Set([
      ...ACTIONS.flatMap(({ keep }) => keep),
      'origins',
      'replaces',
      'by',
      'rows',
      'read',
      'limit',
      'minutes',
      ...RETENTION_PERIODS,
    ]);
    expect([...kept].filter((key) => !hasMessage(`admin:audit.details.${key}`))).toEqual([]);
  });

  it('the filter by action names the group of each action', () => {
    const areas = new Set(AUDIT_ACTIONS.map(areaIn));
    expect([...areas].filter((area) => !hasMessage(`admin:audit.areas.${area}`))).toEqual([]);
  });

  it.each(['en', 'de'])('the audit log has words for every act and every outcome: %s', async (language) => {
    const { audit } = given.ports.storage;
    const outcomes: AuditOutcome[] = ['allowed', 'refused', 'failed'];
    let previousHash = '0'.repeat(64);
    for (const [index, action] of AUDIT_ACTIONS.entries()) {
      const outcome = outcomes[index % outcomes.length] ?? 'allowed';
      const fact: AuditFact = {
        at: given.ports.clock.now(),
        actor: { kind: 'reviewer', id: 'gone' },
        from: '2001:db8::1',
        action,
        outcome,
        clientId: 'gone-client',
        targetId: '<b>target</b>',
        detail: { odd: { a: 1 }, list: [], nothing: null, '<i>key</i>': '<script>' },
      };
      const hash = String(index + 1).padStart(64, '0');
      await audit.append({ ...fact, sequence: index + 1, previousHash, hash });
      previousHash = hash;
    }
    const Cookie = `${given.accounts.signedIn(OLGA)}; language=${language}`;
    const newest = await given.get('/admin/audit', OLGA, { Cookie });
    const oldest = await given.get('/admin/audit?before=3', OLGA, { Cookie });
    expect(newest.status).toBe(200);
    const words = newest.words + oldest.words;
    const text = newest.text + oldest.text;
    expect(words).not.toMatch(/admin:|audit\.(actions|outcomes)/);
    expect(AUDIT_ACTIONS.filter((action) => words.includes(action))).toEqual([]);
    expect(words.match(/<b>target<\/b>/g)).toHaveLength(Math.min(50, AUDIT_ACTIONS.length) + 2);
    expect(words).toContain('odd {"a":1} list ');
    expect(text).not.toContain('<script>');
    expect(text).not.toContain('<b>');
    // The accounts no longer exist: their ids stand among the details.
    expect(words).toContain('gone');
    expect(words).toContain('gone-client');
  });
});
