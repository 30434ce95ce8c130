import { STATUSES } from '@countersign/domain';

/** The changes that a service acknowledged. Each of them must outlive a crash. */
export interface Acknowledged {
  /** The ids of verifications created with 201, by reference. */
  readonly created: Map<string, string>;
  /** How many leading steps a subject completed, by verification. */
  readonly completedSteps: Map<string, number>;
  /** How many files a subject uploaded, by verification. */
  readonly files: Map<string, number>;
  readonly submitted: Set<string>;
  readonly approved: Set<string>;
  /** API keys that were shown, by name. */
  readonly keys: Map<string, string>;
  /** Names of revoked API keys. */
  readonly revoked: Set<string>;
  /** The number of all changes. */
  count(): number;
}

export function nothingAcknowledged(): Acknowledged {
  const created = new Map<string, string>();
  const completedSteps = new Map<string, number>();
  const files = new Map<string, number>();
  const submitted = new Set<string>();
  const approved = new Set<string>();
  const keys = new Map<string, string>();
  const revoked = new Set<string>();
  const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  return {
    created,
    completedSteps,
    files,
    submitted,
    approved,
    keys,
    revoked,
    count: () =>
      sum(completedSteps) +
      sum(files) +
      [created, submitted, approved, keys, revoked].reduce((n, { size }) => n + size, 0),
  };
}

/** Runs a query on the installation's database. Both databases understand it. */
export type Query = (sql: string) => Promise<readonly Record<string, unknown>[]>;

/**
 * Looks for acknowledged changes that the database lacks, and for changes of which only a part is there.
 * @returns one line for each, none when all is well
 */
export async function faultsIn(
  query: Query,
  { created, completedSteps, submitted, approved, keys, revoked }: Acknowledged,
) {
  const faults: string[] = [];
  const verifications = new Map(
    (await query('SELECT id, status, current_step, version FROM verifications')).map((row) => [
      String(row.id),
      { status: String(row.status), step: Number(row.current_step), version: Number(row.version) },
    ]),
  );
  for (const [reference, id] of created) if (!verifications.has(id)) faults.push(`${reference} is lost`);
  for (const [id, steps] of completedSteps) {
    const step = verifications.get(id)?.step ?? -1;
    if (step < steps) faults.push(`${id} has ${step} completed steps, ${steps} were acknowledged`);
  }
  for (const id of submitted) {
    if (!['submitted', 'approved'].includes(verifications.get(id)?.status ?? ''))
      faults.push(`${id} is not submitted`);
  }
  for (const id of approved)
    if (verifications.get(id)?.status !== 'approved') faults.push(`${id} is not approved`);

  const storedKeys = new Map(
    (await query('SELECT name, revoked_at FROM api_keys')).map((row) => [
      String(row.name),
      row.revoked_at !== null,
    ]),
  );
  for (const name of keys.keys()) if (!storedKeys.has(name)) faults.push(`the key ${name} is lost`);
  for (const name of revoked) if (storedKeys.get(name) !== true) faults.push(`the key ${name} is not revoked`);

  // A change is whole when the row, its last event, the usage, the counts and the audit entry agree.
  const lastEvents = new Map<string, { status: string; version: number }>();
  for (const row of await query(
    'SELECT verification_id, version, status FROM verification_events ORDER BY version',
  )) {
    lastEvents.set(String(row.verification_id), { status: String(row.status), version: Number(row.version) });
  }
  for (const [id, { status, version }] of verifications) {
    const last = lastEvents.get(id);
    if (last === undefined || last.status !== status || last.version > version) {
      faults.push(`${id} is ${status} in version ${version}, its last event says ${JSON.stringify(last)}`);
    }
  }
  for (const id of lastEvents.keys())
    if (!verifications.has(id)) faults.push(`an event of ${id} has no verification`);
  const used = (await query('SELECT sum(used) AS used FROM usage'))[0]?.used;
  if (Number(used) !== verifications.size)
    faults.push(`${String(used)} were charged, ${verifications.size} are stored`);
  const sums = STATUSES.map((status) => `sum(${status}) AS ${status}`).join(', ');
  const counted = (await query(`SELECT ${sums} FROM verification_counts`))[0];
  for (const status of STATUSES) {
    const stored = [...verifications.values()].filter((each) => each.status === status).length;
    const count = Number(counted?.[status] ?? 0);
    if (count !== stored) faults.push(`${count} ${status} were counted, ${stored} are stored`);
  }
  const audited = new Set(
    (
      await query("SELECT target_id FROM audit_entries WHERE action = 'review.approve' AND outcome = 'allowed'")
    ).map((row) => String(row.target_id)),
  );
  for (const id of approved) if (!audited.has(id)) faults.push(`the approval of ${id} has no audit entry`);
  return faults;
}
