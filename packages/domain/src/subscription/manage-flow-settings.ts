import { CountersignError, type Issue } from '../errors.ts';
import { typedSchemaOf } from '../fields/schema.ts';
import { parseInput } from '../input/parse.ts';
import type { Client, ClientRepository } from './client-repository.ts';
import { type FlowDefaults, type FlowRules, flowRulesOf } from './flow-rules.ts';
import {
  type FlowSettings,
  type FlowSettingsInput,
  flowSettingsFields,
  flowSettingsIssues,
  flowSettingsOfInput,
} from './flow-settings.ts';
import { liveIdOf, refuseTestTwin } from './test-twin.ts';

/** The flow settings of a client, and what they mean. */
export interface ClientFlowSettings {
  /** The client in live use, whose settings its test twin has too. */
  readonly clientId: string;
  readonly settings: FlowSettings;
  readonly rules: FlowRules;
  /** The installation's settings. */
  readonly defaults: FlowDefaults;
}

/** Reads and changes what clients ask of their subjects and tell them: for the pages of subjects, owners and operators. */
export interface ManageFlowSettings {
  /** @throws CountersignError `CLIENT_NOT_FOUND` */
  get(clientId: string): Promise<ClientFlowSettings>;
  /**
   * Replaces all flow settings of a client. A change of `familyNameIndex` holds for earlier verifications after `countersign index rebuild`.
   * @throws CountersignError `INVALID_PARAMETERS`, also for a test twin, which has the settings of its client; `CLIENT_NOT_FOUND`
   */
  change(clientId: string, input: FlowSettingsInput): Promise<ClientFlowSettings>;
  /** Lists the issues of an input that its fields do not express, without changing anything. */
  issues(input: unknown): readonly Issue[];
}

const inputSchema = typedSchemaOf<FlowSettingsInput>(flowSettingsFields);

/** @param onIndexChange labels the client's verifications again, before and after the indexed terms of a client change */
export function createManageFlowSettings(
  clients: Pick<ClientRepository, 'find' | 'setFlowSettings'>,
  defaults: FlowDefaults,
  onIndexChange: (clientId: string) => Promise<void>,
): ManageFlowSettings {
  const issues = (input: unknown) => flowSettingsIssues(input, defaults);

  async function find(clientId: string): Promise<Client> {
    const found = await clients.find(clientId);
    if (found === null) throw new CountersignError('CLIENT_NOT_FOUND');
    return found.client;
  }

  function settingsOf({ id: clientId, flowSettings: settings }: Client): ClientFlowSettings {
    return { clientId, settings, rules: flowRulesOf(settings, defaults), defaults };
  }

  return {
    issues,

    async get(clientId) {
      const client = await find(clientId);
      return settingsOf(client.testOf === null ? client : await find(liveIdOf(client)));
    },

    async change(clientId, input) {
      const settings = flowSettingsOfInput(parseInput(inputSchema(), input, issues));
      const client = await find(clientId);
      refuseTestTwin(client, 'flow settings');
      const before = client.flowSettings;
      const isIndexChange = settings.familyNameIndex !== before.familyNameIndex;
      // Before it too: if the call after it fails, a rebuild labels all the same.
      if (isIndexChange) await onIndexChange(clientId);
      const result = await clients.setFlowSettings(clientId, settings);
      switch (result.outcome) {
        case 'changed':
          if (isIndexChange) await onIndexChange(clientId);
          return settingsOf(result.client);
        case 'client_not_found':
          throw new CountersignError('CLIENT_NOT_FOUND');
        default:
          return result satisfies never;
      }
    },
  };
}
