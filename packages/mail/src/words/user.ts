import type { WordsOf } from './mail-words.ts';

const INVITED = {
  en: 'You receive this message because your e-mail address was entered for a new account. If you did not expect it, ignore this message.',
  de: 'Sie erhalten diese Nachricht, weil Ihre E-Mail-Adresse für ein neues Konto eingetragen wurde. Wenn Sie sie nicht erwartet haben, müssen Sie nichts tun.',
};

/** The words of mails to users about their own account. */
export const USER_WORDS: WordsOf<'user'> = {
  'user.invitation': {
    en: ({ client, name, clientName }) => ({
      ...(clientName === null
        ? {
            subject: 'Your access to Countersign',
            title: 'Your access to Countersign',
            lead: 'An operator has created an account for you in Countersign, the service that verifies people and businesses.',
            more: 'Choose a password to sign in.',
          }
        : {
            subject: `${client} invites you to join its team`,
            title: `Join the team of ${name}`,
            lead: `${name} invites you to join its team in Countersign. ${name} uses Countersign to verify people and businesses.`,
            more: 'Choose a password to join.',
          }),
      button: 'Choose a password',
      why: INVITED.en,
    }),
    de: ({ client, name, clientName }) => ({
      ...(clientName === null
        ? {
            subject: 'Ihr Zugang zu Countersign',
            title: 'Ihr Zugang zu Countersign',
            lead: 'Ein Operator hat ein Konto für Sie bei Countersign angelegt, dem Dienst, der Personen und Unternehmen prüft.',
            more: 'Wählen Sie ein Passwort, um sich anzumelden.',
          }
        : {
            subject: `Einladung in das Team von ${client}`,
            title: `Einladung in das Team von ${name}`,
            lead: `${name} lädt Sie ein, dem Team bei Countersign beizutreten. Mit Countersign prüft ${name} Personen und Unternehmen.`,
            more: 'Wählen Sie ein Passwort, um beizutreten.',
          }),
      button: 'Passwort wählen',
      why: INVITED.de,
    }),
  },
  'user.password_reset': {
    en: () => ({
      subject: 'Choose a new password',
      title: 'Choose a new password',
      lead: 'We received a request to reset the password of your account in Countersign.',
      more: 'If you did not make this request, do nothing: your password stays as it is.',
      button: 'Choose a new password',
    }),
    de: () => ({
      subject: 'Neues Passwort wählen',
      title: 'Neues Passwort wählen',
      lead: 'Wir haben eine Anfrage erhalten, das Passwort Ihres Kontos bei Countersign zurückzusetzen.',
      more: 'Wenn die Anfrage nicht von Ihnen kommt, müssen Sie nichts tun: Ihr Passwort bleibt unverändert.',
      button: 'Neues Passwort wählen',
    }),
  },
  'user.second_factor_reset': {
    en: () => ({
      subject: 'Confirm the removal of your second factor',
      title: 'Confirm the removal of your second factor',
      lead: 'An operator has started to remove the second factor from your account in Countersign. This is meant for users who have lost their device and their backup codes.',
      more: 'To confirm, open the link and enter your password. If you did not ask for this, do not confirm, and contact an operator. Your second factor then stays as it is.',
      button: 'Remove the second factor',
    }),
    de: () => ({
      subject: 'Bestätigen Sie, dass Ihr zweiter Faktor entfernt wird',
      title: 'Bestätigen Sie, dass Ihr zweiter Faktor entfernt wird',
      lead: 'Ein Operator hat begonnen, den zweiten Faktor Ihres Kontos bei Countersign zu entfernen. Das ist für den Fall gedacht, dass Sie Ihr Gerät und Ihre Ersatzcodes verloren haben.',
      more: 'Öffnen Sie zur Bestätigung den Link und geben Sie Ihr Passwort ein. Wenn Sie nicht darum gebeten haben, bestätigen Sie nichts und wenden Sie sich an einen Operator. Ihr zweiter Faktor bleibt dann unverändert.',
      button: 'Zweiten Faktor entfernen',
    }),
  },
};
