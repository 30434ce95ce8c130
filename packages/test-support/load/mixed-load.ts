import { setTimeout as pause } from 'node:timers/promises';
import { currentFlow, screensOf, stepsOf } from '@countersign/domain/flows';
import { type ApiClient, createApiClient, dataOf, idOf, newSubject } from '../api/api-client.ts';
import { ANSWERS } from '../pages/page-answers.ts';
import type { StaffForms } from '../pages/staff-forms.ts';
import { openSubjectForms } from '../pages/subject-forms.ts';
import { type Steady, steadily } from '../processes/steadily.ts';
import type { Acknowledged } from './acknowledged.ts';

export interface MixedLoadOptions {
  /** The address of the service, or of its load balancer. */
  readonly origin: string;
  readonly key: string;
  readonly reviewer: StaffForms;
  /** An owner of the client's team. */
  readonly owner: StaffForms;
  readonly picture: Buffer;
  readonly acknowledged: Acknowledged;
  /** The pause between two changes of keys. The list of keys shows the revoked ones too, so a long run needs a longer one. */
  readonly betweenKeysMs?: number;
}

export interface MixedLoad {
  /**
   * Starts the work. Subjects who were interrupted in an earlier run continue.
   * @param onBroken decides what to do about a request without a response. Default: the load fails.
   */
  start(onBroken?: (fault: unknown) => void): Steady;
}

const SUBJECTS = 3;
const CREATORS = 1;
/** Of ten keys that a client may have. */
const KEPT_KEYS = 5;

const STEP_OF_SCREEN = new Map(
  screensOf(currentFlow('kyc')).map(
    ({ slug, parts: [part] }) => [slug, stepsOf(currentFlow('kyc')).indexOf(part?.step ?? 'consent')] as const,
  ),
);

/** Uses a service as clients, subjects, a reviewer and an owner do, and notes each acknowledged change. */
export function createMixedLoad(options: MixedLoadOptions): MixedLoad {
  const { origin, key, reviewer, owner, picture, acknowledged, betweenKeysMs = 300 } = options;
  const api = createApiClient(`${origin}/api/v1`, key);
  const file = () => new Blob([new Uint8Array(picture)]);
  /** The verifications whose subjects were interrupted. */
  const unfinished: Subject[] = [];
  let names = 0;

  async function create(): Promise<Subject> {
    const reference = `subject ${names++}`;
    const answer = await api.post(newSubject(reference), { 'Idempotency-Key': reference });
    const id = idOf(answer);
    acknowledged.created.set(reference, id);
    return { id, path: new URL(String(dataOf(answer).verificationUrl)).pathname };
  }

  async function answer(): Promise<void> {
    const subject = unfinished.shift() ?? (await create());
    try {
      await answerAll(subject);
    } catch (fault) {
      unfinished.push(subject);
      throw fault;
    }
  }

  async function answerAll({ id, path }: Subject): Promise<void> {
    const forms = await openSubjectForms(origin + path, 'kyc');
    await forms.next({ file });
    while (forms.slug() !== '') {
      const page = forms.slug();
      const next = await forms.next({ file });
      if (ANSWERS.kyc[page] === undefined) acknowledged.files.set(id, (acknowledged.files.get(id) ?? 0) + 1);
      const steps = STEP_OF_SCREEN.get(next);
      if (steps !== undefined && steps > 0) acknowledged.completedSteps.set(id, steps);
    }
    acknowledged.submitted.add(id);
  }

  async function decide(): Promise<void> {
    const id = [...acknowledged.submitted].find((one) => !acknowledged.approved.has(one));
    if (id === undefined) return void (await expectStatus(reviewer.get('/review'), 200));
    // An earlier request can have approved it without a response.
    const { status } = dataOf(await api.get(`/verifications/${id}`));
    if (status !== 'approved') await reviewer.act(id, 'approve');
    acknowledged.approved.add(id);
  }

  /** Issues keys up to `KEPT_KEYS`, and then revokes the oldest. Keys without a response are among them. */
  async function changeKeys(): Promise<void> {
    const list = await (await expectStatus(owner.get('/dashboard/keys'), 200)).text();
    const active = list.split('<tr').flatMap((row) => {
      const [, keyName] = /class="as-typed"[^>]*><bdi>([^<]+)</.exec(row) ?? [];
      const [, path] = /href="([^"]+\/revoke)"/.exec(row) ?? [];
      return keyName === undefined || path === undefined ? [] : [{ keyName, path }];
    });
    await pause(betweenKeysMs);
    const oldest = active.at(-1);
    if (oldest === undefined || active.length < KEPT_KEYS) return await issueKey(`key ${names++}`);
    await expectStatus(owner.postConfirmed(oldest.path, { name: oldest.keyName }), 303);
    acknowledged.revoked.add(oldest.keyName);
  }

  async function issueKey(keyName: string): Promise<void> {
    const fields = { name: keyName, permissions: '*', expiresInDays: '90' };
    const answer = await expectStatus(owner.postConfirmed('/dashboard/keys/new', fields), 200);
    const value = /csk_[0-9a-f]{64}/.exec(await answer.text())?.[0];
    if (value === undefined) throw new Error(`no key is shown for ${keyName}`);
    acknowledged.keys.set(keyName, value);
  }

  const kinds: readonly (readonly [number, () => Promise<unknown>])[] = [
    [CREATORS, create],
    [SUBJECTS, answer],
    [1, decide],
    [1, changeKeys],
    [1, () => read(api)],
  ];

  return {
    start(onBroken) {
      const attempt = (work: () => Promise<unknown>) => async () => {
        try {
          await work();
        } catch (fault) {
          if (onBroken === undefined) throw fault;
          onBroken(fault);
        }
      };
      const loads = kinds.map(([atOnce, work]) => steadily(atOnce, attempt(work)));
      return {
        until: (condition) => Promise.race(loads.map((load) => load.until(condition))),
        async stop() {
          await Promise.all(loads.map((load) => load.stop()));
        },
      };
    },
  };
}

interface Subject {
  readonly id: string;
  readonly path: string;
}

async function read(api: ApiClient): Promise<void> {
  const { status } = await api.get();
  if (status !== 200) throw new Error(`the list was answered with ${status}`);
}

async function expectStatus(answer: Promise<Response>, status: number): Promise<Response> {
  const response = await answer;
  if (response.status !== status) throw new Error(`${response.url} was answered with ${response.status}`);
  return response;
}
