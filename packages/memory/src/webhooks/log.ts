import { compareText, type WebhookRepository } from '@countersign/domain/storage';
import { isPausedAfterFailures } from '@countersign/domain/webhooks';
import { keyOf, type StoredDelivery, type Tables } from '../tables.ts';
import { endpointOf } from './endpoints.ts';
import { dueAfterEarlier, unsentEvents } from './fan-out.ts';
import { oldestFirst } from './sending.ts';

type LogOperations = Pick<
  WebhookRepository,
  'deliveries' | 'attempts' | 'resend' | 'forget' | 'backlog' | 'countPausedAfterFailures'
>;

export function createLog(tables: Tables): LogOperations {
  const { deliveries, endpoints } = tables;

  const toEndpoint = (clientId: string, endpointId: string): StoredDelivery[] =>
    endpointOf(tables, clientId, endpointId) === undefined
      ? []
      : [...deliveries.values()].filter(({ entry }) => entry.endpointId === endpointId);

  return {
    async deliveries({ clientId, endpointId, state, after, limit }) {
      const left = toEndpoint(clientId, endpointId).filter(
        ({ entry }) =>
          (state === undefined || entry.state === state) &&
          (after === undefined ||
            entry.at < after.at ||
            (entry.at.getTime() === after.at.getTime() && compareText(entry.eventId, after.eventId) < 0)),
      );
      const page = left.sort((a, b) => oldestFirst(b, a)).slice(0, limit);
      return structuredClone(page.map(({ entry }) => entry));
    },

    async attempts(clientId, endpointId, eventId) {
      const delivery = toEndpoint(clientId, endpointId).find(({ entry }) => entry.eventId === eventId);
      const sorted = delivery?.attempts.toSorted(
        (a, b) => a.at.getTime() - b.at.getTime() || compareText(a.id, b.id),
      );
      return sorted === undefined ? null : structuredClone(sorted);
    },

    async resend({ clientId, endpointId, which, now }) {
      const state = endpointOf(tables, clientId, endpointId)?.endpoint.state;
      if (state === undefined) return { outcome: 'not_found' };
      if (state === 'disabled') return { outcome: 'disabled' };
      const chosen = toEndpoint(clientId, endpointId).filter(({ entry }) => {
        const isChosen = 'eventId' in which ? entry.eventId === which.eventId : entry.at >= which.since;
        return isChosen && entry.state !== 'waiting';
      });
      for (const stored of chosen.sort((a, b) => a.entry.version - b.entry.version)) {
        const dueAt = dueAfterEarlier(tables, stored.entry, now);
        stored.entry = { ...stored.entry, state: 'waiting', attempts: 0, dueAt };
      }
      return { outcome: 'resent', count: chosen.length };
    },

    async forget({ before, limit }) {
      const past = [...deliveries.values()].filter(({ entry }) => entry.state !== 'waiting' && entry.at < before);
      const forgotten = past.sort(oldestFirst).slice(0, limit);
      for (const { entry } of forgotten) deliveries.delete(keyOf(entry.endpointId, entry.eventId));
      return forgotten.length;
    },

    async countPausedAfterFailures() {
      return [...endpoints.values()].filter(({ endpoint }) => isPausedAfterFailures(endpoint)).length;
    },

    async backlog(limit) {
      const isActive = ({ entry }: StoredDelivery) => endpoints.get(entry.endpointId)?.endpoint.state === 'active';
      const waiting = [...deliveries.values()].filter((stored) => stored.entry.dueAt !== null && isActive(stored));
      const unsent = unsentEvents(tables);
      const times = [...waiting.map(({ entry }) => entry.at), ...unsent.map(({ event }) => event.at)];
      const oldest = times.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
      return {
        waiting: Math.min(waiting.length, limit) + Math.min(unsent.length, limit),
        oldestAt: oldest === null ? null : new Date(oldest),
      };
    },
  };
}
