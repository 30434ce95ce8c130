import type { FlowAsks } from '../fields/conditions.ts';
import type { Client, ClientRepository } from './client-repository.ts';
import type { DecisionTime, FlowSettings } from './flow-settings.ts';
import { liveClientOf } from './test-twin.ts';

/** The rules that apply to a client's verifications now: its settings, and the installation's where it has none. */
export interface FlowRules {
  /** Which fields with a switch are asked. */
  readonly asks: FlowAsks;
  /** Full years. */
  readonly minimumAge: number;
  /** Days that a link works from its issue. */
  readonly linkDays: number;
  /** When a decision usually comes. Null: the pages do not say. */
  readonly decisionWithin: DecisionTime | null;
  /** Whether readings of documents are only for reviewers. */
  readonly readingIsAdvice: boolean;
  /** Hours from a submission to the decision that the client expects. Null: no due time. */
  readonly dueHours: number | null;
  /** Whether the details in the API list the codes of warnings. */
  readonly warningsInDetails: boolean;
}

/** The installation's settings, for clients without their own. */
export interface FlowDefaults {
  readonly minimumAge: number;
  readonly linkLifetimeDays: number;
}

/** Returns the rules that follow from a client's settings. The installation's minimum age applies if it is higher than the client's. */
export function flowRulesOf(settings: FlowSettings, { minimumAge, linkLifetimeDays }: FlowDefaults): FlowRules {
  const {
    minimumAge: own,
    linkDays,
    decisionWithin,
    readingIsAdvice,
    dueHours,
    familyNameIndex: _,
    warningsInDetails,
    ...asks
  } = settings;
  return {
    asks,
    minimumAge: Math.max(own ?? minimumAge, minimumAge),
    linkDays: linkDays ?? linkLifetimeDays,
    decisionWithin,
    readingIsAdvice,
    dueHours,
    warningsInDetails,
  };
}

/** Returns whether a client indexes family names. A test twin has the setting of its client. @param client its id, or the client itself */
export type IndexesFamilyNames = (client: string | Client) => Promise<boolean>;

/** Creates `IndexesFamilyNames`, which reads clients that are given by id. */
export function createIndexesFamilyNames(clients: Pick<ClientRepository, 'find'>): IndexesFamilyNames {
  return async (client) => (await liveClientOf(clients, client))?.flowSettings.familyNameIndex ?? false;
}

/** Reads the rules for a client's verifications, by its id or from the client as it was read. The client must exist. */
export type ReadFlowRules = (client: string | Client) => Promise<FlowRules>;

/** Caches nothing: a change applies from the next page on. */
export function createReadFlowRules(
  clients: Pick<ClientRepository, 'find'>,
  defaults: FlowDefaults,
): ReadFlowRules {
  return async (client) => {
    const live = await liveClientOf(clients, client);
    if (live === null) throw new Error(`The client ${typeof client === 'string' ? client : client.id} is missing`);
    return flowRulesOf(live.flowSettings, defaults);
  };
}
