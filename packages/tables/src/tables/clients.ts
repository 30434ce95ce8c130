import {
  type Client,
  type ClientAppearance,
  DECISION_TIMES,
  NO_TEMPLATES,
  PLANS,
  parseStoredTemplates,
  SUBSCRIPTION_STATUSES,
  type Subscription,
} from '@countersign/domain/clients';
import type { ClientAppearanceEntry, UsageEntry } from '@countersign/domain/storage';
import { table } from '../table.ts';

/** The clients of the operator, and the test twin of each. */
export const clients = table<Client>()({
  name: 'clients',
  called: 'client',
  key: ['id'],
  nested: {
    flowSettings: {
      parts: {
        placeOfBirth: 'asksPlaceOfBirth',
        proofOfAddress: 'asksProofOfAddress',
        minimumAge: 'minimumAge',
        linkDays: 'linkDays',
        decisionWithin: 'decisionWithin',
        readingIsAdvice: 'readingIsAdvice',
        dueHours: 'dueHours',
        familyNameIndex: 'familyNameIndex',
        warningsInDetails: 'warningsInDetails',
      },
    },
  },
  columns: {
    id: { kind: 'id' },
    name: { kind: 'text' },
    createdAt: { kind: 'moment' },
    /** Whether it is a test twin. Servers of 0.2 read it, no later version does. */
    sandbox: { kind: 'flag', default: false, value: ({ testOf }: Client) => testOf !== null },
    returnAddresses: { kind: 'texts', default: [] },
    fileAccess: { kind: 'flag', default: false },
    /** The client whose test twin it is. */
    testOf: { kind: 'id', nullable: true },
    /** On for clients that are older than this column, and for those that servers of 0.3 create. The same for the next one. */
    asksPlaceOfBirth: { kind: 'flag', default: true },
    asksProofOfAddress: { kind: 'flag', default: true },
    minimumAge: { kind: 'integer', nullable: true },
    linkDays: { kind: 'integer', nullable: true },
    decisionWithin: { kind: 'choice', of: DECISION_TIMES, nullable: true },
    readingIsAdvice: { kind: 'flag', default: false },
    dueHours: { kind: 'integer', nullable: true },
    familyNameIndex: { kind: 'flag', default: false },
    reasonTemplates: { kind: 'document', parse: parseStoredTemplates, default: NO_TEMPLATES },
    warningsInDetails: { kind: 'flag', default: false },
  },
});

const appearance = {
  clientId: { kind: 'id' },
  displayName: { kind: 'text', nullable: true },
  /** `#rrggbb`. */
  colour: { kind: 'text', nullable: true },
  supportAddress: { kind: 'text', nullable: true },
  privacyAddress: { kind: 'text', nullable: true },
  /** SHA-256 of the logo. */
  logoId: { kind: 'hash', nullable: 'group' },
  logoWidth: { kind: 'integer', nullable: 'group' },
  logoHeight: { kind: 'integer', nullable: 'group' },
} as const;

/**
 * How a client appears to its subjects. A client that never changed it has no row. The content comes last, so that other reads skip it.
 */
export const clientFaces = table<ClientAppearanceEntry>()({
  name: 'client_faces',
  called: 'appearance of the client',
  key: ['clientId'],
  nested: {
    details: {
      parts: {
        displayName: 'displayName',
        colour: 'colour',
        supportAddress: 'supportAddress',
        privacyAddress: 'privacyAddress',
      },
    },
    logo: { nullable: true, parts: { id: 'logoId', width: 'logoWidth', height: 'logoHeight', content: 'logo' } },
  },
  columns: {
    ...appearance,
    /** A PNG. */
    logo: { kind: 'bytes', nullable: 'group' },
  },
});

/** The same rows without the PNG. */
export const clientAppearances = table<ClientAppearance>()({
  name: clientFaces.name,
  called: clientFaces.called,
  key: ['clientId'],
  nested: { logo: { nullable: true, parts: { id: 'logoId', width: 'logoWidth', height: 'logoHeight' } } },
  columns: { ...appearance, clientId: { kind: 'id', value: null } },
});

/** At most one row for each client. */
export const subscriptions = table<Subscription>()({
  name: 'subscriptions',
  called: 'subscription of the client',
  key: ['clientId'],
  columns: {
    clientId: { kind: 'id', value: null },
    plan: { kind: 'choice', of: PLANS, checked: true },
    status: { kind: 'choice', of: SUBSCRIPTION_STATUSES, checked: true },
    monthlyLimit: { kind: 'integer', nullable: true },
    startsAt: { kind: 'moment' },
    endsAt: { kind: 'moment', nullable: true },
  },
});

/** Verifications charged to a client in a month (`YYYY-MM`, UTC), and the allowance at the last charge. */
export const usage = table<UsageEntry>()({
  name: 'usage',
  called: 'usage of the client',
  by: 'clientId',
  key: ['clientId', 'month'],
  columns: {
    clientId: { kind: 'id' },
    month: { kind: 'text' },
    used: { kind: 'integer' },
    allowance: { kind: 'integer' },
  },
  checks: { usage_within_allowance: '{used} <= {allowance}' },
});
