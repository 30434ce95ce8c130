import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { STATUSES } from '@countersign/domain';
import { createApiClient, dataOf } from '@countersign/test-support/api/api-client';
import { type Tally, tallyOf } from '@countersign/test-support/installation/database-file';
import { filesBelow } from '@countersign/test-support/installation/evidence-folder';
import { tallyIn } from '@countersign/test-support/installation/postgres-database';
import { rowsIn } from '@countersign/test-support/installation/rows-in';
import { createTraceSearch, type Trace } from '@countersign/test-support/installation/traces';
import type { StaffForms } from '@countersign/test-support/pages/staff-forms';
import { countersignHere } from '@countersign/test-support/processes/command-line';
import { expect } from 'vitest';
import { ERASED, indexRowsOf, type Planted, type PlantedSubject, type SubjectName } from './planted.ts';

/** A place that could contain personal data, and its content. */
export type Place = readonly [name: string, content: Uint8Array];

/** The canaries that must be gone. */
export const tracesOfErased = ({ subjects }: Planted): readonly Trace[] =>
  ERASED.flatMap((name) => subjects[name].canaries.traces());

/** Names the canaries of a verification that someone with access can read. */
export async function canariesShown(planted: Planted, name: SubjectName): Promise<readonly string[]> {
  const subject = planted.subjects[name];
  const search = createTraceSearch(subject.canaries.traces());
  const names = new Set<string>();
  for await (const [, content] of placesShowing(planted, subject)) {
    for (const found of search(content)) names.add(found.name);
  }
  return [...names].toSorted();
}

const KEPT = ['kept', 'keptOpen'] as const;

/** What an erasure must leave as it is. */
export interface Unharmed {
  /** The canaries that can be read in the verifications that stay. */
  readonly shown: readonly (readonly string[])[];
  readonly tally: Tally;
  readonly totals: Readonly<Record<string, unknown>>;
  /** The head of the audit log, for `audit verify --noted`. */
  readonly auditHead: string;
}

export async function unharmed(planted: Planted): Promise<Unharmed> {
  const { server, client } = planted;
  const shown: (readonly string[])[] = [];
  for (const name of KEPT) shown.push(await canariesShown(planted, name));
  const { DATABASE_URL: url } = server.env;
  const tally =
    url === undefined ? tallyOf(server.databaseFile, client.clientId) : await tallyIn(url, client.clientId);
  const { head } = await countersignHere<{ head: { sequence: number; hash: string } }>(
    ['audit', 'verify'],
    server.env,
  );
  return { shown, tally, totals: await totalsOf(planted), auditHead: `${head.sequence}:${head.hash}` };
}

/** Expects that the erasures changed nothing else, and that the audit log goes on from where it was. */
export async function expectUnharmed(planted: Planted, before: Unharmed): Promise<void> {
  const after = await unharmed(planted);
  expect(after.shown).toEqual(before.shown);
  // One verification was withdrawn, and two erasures were requested: these and each erasure are events of their own.
  expect(before.totals).toMatchObject({ pending: 1, action_needed: 1, approved: 1, rejected: 2 });
  expect(after.totals).toEqual({ ...before.totals, action_needed: 0, rejected: 3 });
  expect(after.tally).toEqual({ ...before.tally, events: before.tally.events + 3 + ERASED.length });
  const verified = await countersignHere(['audit', 'verify', '--noted', before.auditHead], planted.server.env);
  expect(verified).toMatchObject({ outcome: 'intact' });

  const { request, idempotencyKey, id } = planted.subjects.kept;
  const api = createApiClient(planted.server.baseUrl, planted.client.key);
  const again = await api.post(request, { 'Idempotency-Key': idempotencyKey });
  expect([again.headers.get('Idempotent-Replayed'), again.body.data?.id]).toEqual(['true', id]);
}

/** Expects that the index has no row of what was erased, and still labels what stays. */
export async function expectErasedFromIndex({ server, subjects }: Planted): Promise<void> {
  for (const name of ERASED) {
    expect([name, await indexRowsOf(server, subjects[name].id)]).toEqual([name, { labels: 0, labelled: 0 }]);
  }
  const kept = await indexRowsOf(server, subjects.kept.id);
  expect(kept.labelled).toBe(1);
  expect(kept.labels).toBeGreaterThan(5);
}

/** Counts the client's verifications by status, as the API lists them. */
async function totalsOf({ server, client }: Planted): Promise<Readonly<Record<string, unknown>>> {
  const api = createApiClient(server.baseUrl, client.key);
  const totals: Record<string, unknown> = {};
  for (const status of STATUSES) {
    const { pagination } = dataOf(await api.get(`/verifications?status=${status}`));
    totals[status] = (pagination as { totalCount: number }).totalCount;
  }
  return totals;
}

/** Lists the traces in some places, as `place: name as encoding`. */
export async function tracesIn(
  places: AsyncIterable<Place> | Iterable<Place>,
  traces: readonly Trace[],
): Promise<string[]> {
  const search = createTraceSearch(traces);
  const lines: string[] = [];
  for await (const [place, content] of places) {
    lines.push(...search(content).map(({ name, encoding }) => `${place}: ${name} as ${encoding}`));
  }
  return lines;
}

/** The files below a folder. A file that a running server renames or deletes meanwhile is left out. */
export function* filesOf(name: string, folder: string): Generator<Place> {
  for (const file of filesBelow(folder)) {
    const content = contentOf(file);
    if (content !== undefined) yield [join(name, relative(folder, file)), content];
  }
}

function contentOf(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Everything that API, pages, files, deliveries and metrics show of the verifications that are erased. */
export async function* placesShowingErased(planted: Planted): AsyncGenerator<Place> {
  const { server, stopped, staff, client, metricsUrl, subjects } = planted;
  const api = createApiClient(server.baseUrl, client.key);
  for (const name of ERASED) {
    const { id } = subjects[name];
    yield [`${name}: API`, bytes(await apiAnswersOf(planted, id))];
    yield [`${name}: console`, bytes(await textOf(staff.reviewer, `/review/${id}`))];
    yield [`${name}: dashboard`, bytes(await textOf(staff.owner, `/dashboard/verifications/${id}`))];
    yield [`${name}: audit page`, bytes(await textOf(staff.operator, `/admin/audit?target=${id}`))];
    yield [`${name}: deliveries`, bytes((await deliveriesOf(planted, id)).join('\n'))];
  }
  const others = new Set(Object.entries(subjects).flatMap(([name, { id }]) => (isErased(name) ? [] : [id])));
  const { verifications } = dataOf(await api.get()) as { verifications: { id: string }[] };
  yield ['list', bytes(JSON.stringify(verifications.filter(({ id }) => !others.has(id))))];
  yield ['audit page', bytes(await textOf(staff.operator, '/admin/audit'))];
  yield ['audit list', bytes(JSON.stringify(await countersignHere(['audit', 'list'], server.env)))];
  yield ['metrics', bytes(await (await fetch(metricsUrl)).text())];
  for (const { output } of [...stopped, server]) yield ['log', bytes(output())];
}

const isErased = (name: string): boolean => ERASED.some((erased) => erased === name);

/** What API, console, files and deliveries show of a verification. */
async function* placesShowing(planted: Planted, { id }: PlantedSubject): AsyncGenerator<Place> {
  const { reviewer } = planted.staff;
  yield ['API', bytes(await apiAnswersOf(planted, id))];
  const page = await textOf(reviewer, `/review/${id}`);
  yield ['console', bytes(page)];
  for (const path of new Set(page.match(new RegExp(`/review/${id}/files/[\\w-]+`, 'g')))) {
    yield ['file', new Uint8Array(await (await reviewer.get(path)).arrayBuffer())];
  }
  for (const delivery of await deliveriesOf(planted, id)) yield ['deliveries', bytes(delivery)];
}

/** Returns the pages of the deliveries about a verification. */
async function deliveriesOf({ server, staff, endpointId }: Planted, id: string): Promise<string[]> {
  const rows = await rowsIn(server, `SELECT event_id FROM webhook_deliveries WHERE verification_id = '${id}'`);
  const paths = rows.map(
    ({ event_id: eventId }) => `/dashboard/webhooks/${endpointId}/deliveries/${String(eventId)}`,
  );
  expect(paths.length).toBeGreaterThan(0);
  return Promise.all(paths.map((path) => textOf(staff.owner, path)));
}

async function apiAnswersOf({ server, client }: Planted, id: string): Promise<string> {
  const api = createApiClient(server.baseUrl, client.key);
  const paths = [`/verifications/${id}`, `/verifications/${id}/details`];
  return JSON.stringify(await Promise.all(paths.map(async (path) => dataOf(await api.get(path)))));
}

/** Reads a page as text without entities. */
async function textOf(staff: StaffForms, path: string): Promise<string> {
  const response = await staff.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return decoded(await response.text());
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decoded = (html: string): string =>
  html.replaceAll(/&([#\w]+);/g, (entity, name: string) => ENTITIES[name] ?? entity);

const bytes = (text: string): Uint8Array => Buffer.from(text);
