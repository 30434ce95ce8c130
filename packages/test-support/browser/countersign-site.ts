import type { SubjectType } from '@countersign/domain';
import type { StaffRole } from '@countersign/domain/staff';
import { type Answer, type ApiClient, createApiClient, dataOf, idOf } from '../api/api-client.ts';
import { askForEverything, givenClientOf } from '../installation/operator.ts';
import { newUser } from '../pages/new-user.ts';
import { card, pdf } from '../pages/pictures.ts';
import { openSubjectForms, type SubjectContent } from '../pages/subject-forms.ts';
import type { Environment } from '../processes/child-process.ts';
import { type ServerProcess, startServer } from '../processes/server-process.ts';

/** A running installation with one client, which asks its subjects for everything. */
export interface CountersignSite {
  readonly server: ServerProcess;
  /** `http://localhost:4711`: browsers allow the camera on localhost. */
  readonly origin: string;
  readonly clientId: string;
  readonly api: ApiClient;
  /** Creates a verification of a new subject. */
  create(type: SubjectType): Promise<{ readonly id: string; readonly url: string }>;
  /** Creates a verification and answers its pages up to `until`, or to the end. */
  createAnswered(
    type: SubjectType,
    until?: string,
    /** Replaces the default answers. */
    content?: Partial<SubjectContent>,
  ): Promise<{ readonly id: string; readonly url: string }>;
  /** Returns `data` of GET /verifications/{id}/details. */
  details(id: string): Promise<Details>;
  currentStep(id: string): Promise<number>;
  /** Withdraws a verification by the API. */
  withdraw(id: string): Promise<Answer>;
  /** Invites a user; the link sets their password. */
  invite(role: StaffRole): Promise<Invited>;
}

export interface Invited {
  readonly id: string;
  /** The name in histories. */
  readonly name: string;
  readonly email: string;
  /** A one-time link. */
  readonly signInUrl: string;
}

/** The details of a verification that tests read. */
export interface Details {
  readonly status: string;
  readonly currentStep: number;
  readonly resolvedAt: string | null;
  readonly verificationUrl: string;
  readonly submittedData: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly steps: readonly {
    readonly key: string;
    readonly status: string;
    readonly completedAt: string | null;
  }[];
  readonly actionNeeded: { readonly message: string | null; readonly items: readonly object[] } | null;
  readonly decision: {
    readonly outcome: string;
    readonly reasonCodes: readonly string[];
    readonly message: string | null;
  } | null;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly history: readonly { readonly status: string; readonly at: string; readonly actor: string }[];
}

const EXTRACT = new Blob([pdf('Extract')], { type: 'application/pdf' });

export async function startSite(env: Environment = {}): Promise<CountersignSite> {
  const server = await startServer({ env });
  return siteOf(server, `http://localhost:${server.port}`);
}

/** @param origin the PUBLIC_BASE_URL that browsers open */
export async function siteOf(server: ServerProcess, origin: string): Promise<CountersignSite> {
  const { clientId, key } = await givenClientOf(server, { plan: 'enterprise' });
  await askForEverything(server, clientId);
  const api = createApiClient(server.baseUrl, key);
  let made = 0;

  const details = async (id: string) =>
    dataOf(await api.get(`/verifications/${id}/details`)) as unknown as Details;
  async function create(type: SubjectType): Promise<{ id: string; url: string }> {
    made += 1;
    const answer = await api.post({ subjectType: type, subjectReference: `subject-${made}` });
    return { id: idOf(answer), url: String(dataOf(answer).verificationUrl) };
  }

  return {
    server,
    origin,
    clientId,
    api,
    details,
    create,
    async createAnswered(type, until, content = {}) {
      const made = await create(type);
      const picture = new Blob([await card(made.id)], { type: 'image/jpeg' });
      const file = (slug: string) => (slug === 'registration-extract' ? EXTRACT : picture);
      await (await openSubjectForms(made.url, type)).walk({ file, ...content }, until);
      return made;
    },
    currentStep: async (id) => (await details(id)).currentStep,
    withdraw: (id) => api.request(`/verifications/${id}/withdraw`, { method: 'POST' }),
    async invite(role) {
      made += 1;
      const [name, email] = [`${role} ${made}`, `${role}-${made}@example.org`];
      const whose = role === 'client' ? clientId : undefined;
      const { id, path } = await newUser(server, { name, email, role, clientId: whose });
      return { id, name, email, signInUrl: origin + path };
    },
  };
}
