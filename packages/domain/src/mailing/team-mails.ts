import type { TeamRight } from '../staff/team-rights.ts';

/** What every mail to a user about something of their team's client says. */
export interface TeamMailValues {
  readonly clientName: string;
  /** A page of the dashboard. */
  readonly url: string;
}

/** The mails about something of a client that users of its team manage, and what each of them says. */
export interface TeamMails {
  readonly 'team.endpoint_paused': TeamMailValues & {
    /** The host of the endpoint's URL. */
    readonly host: string;
    readonly failingSince: Date;
  };
  readonly 'team.key_expiring': TeamMailValues & {
    /** Empty if it has no name. */
    readonly keyName: string;
    /** Its first and last characters. */
    readonly keyDisplay: string;
    readonly expiresAt: Date;
  };
}

/** An endpoint, as a mail needs it. */
interface EndpointState {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly failingSince: Date | null;
}

/** An API key, as a mail needs it. */
interface ExpiringKey {
  readonly id: string;
  readonly name: string;
  readonly display: string;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Reads what mails to teams are about. */
export interface TeamMailSources {
  readonly endpointsOf: (clientId: string) => Promise<readonly EndpointState[]>;
  readonly keysOf: (clientId: string) => Promise<readonly ExpiringKey[]>;
}

/** What a mail to a team is about: an endpoint or an API key of a client. */
export interface TeamMailTarget {
  readonly clientId: string;
  readonly targetId: string;
}

/** A mail to each user of a team who has a right. */
interface TeamMail<V> {
  readonly right: TeamRight;
  /** Returns the path of its page. */
  readonly page: (target: TeamMailTarget) => string;
  /** Returns its values beside `TeamMailValues`; null if the mail is no longer needed. */
  readonly facts: (
    sources: TeamMailSources,
    target: TeamMailTarget,
    now: Date,
  ) => Promise<Omit<V, keyof TeamMailValues> | null>;
}

/** The mails to teams. */
export const TEAM_MAILS: { readonly [K in keyof TeamMails]: TeamMail<TeamMails[K]> } = {
  'team.endpoint_paused': {
    right: 'manage_webhooks',
    page: ({ targetId }) => `/dashboard/webhooks/${targetId}`,
    async facts({ endpointsOf }, { clientId, targetId }) {
      const endpoint = (await endpointsOf(clientId)).find(({ id }) => id === targetId);
      // A user who pauses an endpoint knows it, and one that works again needs no mail.
      if (endpoint?.state !== 'paused' || endpoint.failingSince === null) return null;
      return { host: hostOf(endpoint.url), failingSince: endpoint.failingSince };
    },
  },
  'team.key_expiring': {
    right: 'manage_keys',
    page: () => '/dashboard/keys',
    async facts({ keysOf }, { clientId, targetId }, now) {
      const key = (await keysOf(clientId)).find(({ id }) => id === targetId);
      if (key === undefined || key.revokedAt !== null || key.expiresAt === null || key.expiresAt <= now)
        return null;
      return { keyName: key.name, keyDisplay: key.display, expiresAt: key.expiresAt };
    },
  },
};

/** Returns the host of an endpoint's URL. The rest of it may hold a secret, and a mail is not confidential. */
function hostOf(url: string): string {
  return /^https?:\/\/([^/?#]+)/.exec(url)?.[1] ?? '';
}
