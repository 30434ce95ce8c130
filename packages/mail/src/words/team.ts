import type { WordsOf } from './mail-words.ts';

/** The words of mails to users about something of their team. */
export const TEAM_WORDS: WordsOf<'team'> = {
  'team.endpoint_paused': {
    en: ({ client, name, host, failingSince }) => ({
      subject: `${client}: a webhook endpoint is paused`,
      title: 'A webhook endpoint is paused',
      lead: `Countersign has paused a webhook endpoint of ${name} at ${host}. Since ${failingSince} (UTC), every attempt to deliver a webhook to it has failed.`,
      more: 'Nothing is lost: webhooks wait until you resume the endpoint. Fix the receiver, send a test webhook, then resume the endpoint.',
      button: 'Go to the endpoint',
    }),
    de: ({ client, name, host, failingSince }) => ({
      subject: `${client}: Ein Webhook-Endpunkt ist angehalten`,
      title: 'Ein Webhook-Endpunkt ist angehalten',
      lead: `Countersign hat einen Webhook-Endpunkt von ${name} bei ${host} angehalten. Seit dem ${failingSince} Uhr (UTC) ist jede Zustellung dorthin fehlgeschlagen.`,
      more: 'Es geht nichts verloren: Webhooks warten, bis Sie den Endpunkt fortsetzen. Beheben Sie den Fehler beim Empfänger, senden Sie einen Test-Webhook und setzen Sie den Endpunkt dann fort.',
      button: 'Zum Endpunkt',
    }),
  },
  'team.key_expiring': {
    en: ({ client, name, keyName, keyDisplay, expiresAt }) => ({
      subject: `${client}: an API key expires soon`,
      title: 'An API key expires soon',
      lead: `The API key ${keyName === '' ? keyDisplay : `“${keyName}” (${keyDisplay})`} of ${name} expires on ${expiresAt} (UTC).`,
      more: 'From then on, requests with it are refused. Create a new key, deploy it, then revoke this one.',
      button: 'Go to the API keys',
    }),
    de: ({ client, name, keyName, keyDisplay, expiresAt }) => ({
      subject: `${client}: Ein API-Schlüssel läuft bald ab`,
      title: 'Ein API-Schlüssel läuft bald ab',
      lead: `Der API-Schlüssel ${keyName === '' ? keyDisplay : `„${keyName}“ (${keyDisplay})`} von ${name} läuft am ${expiresAt} Uhr (UTC) ab.`,
      more: 'Danach werden Anfragen mit ihm abgelehnt. Erstellen Sie einen neuen Schlüssel, setzen Sie ihn ein und widerrufen Sie dann diesen.',
      button: 'Zu den API-Schlüsseln',
    }),
  },
};
