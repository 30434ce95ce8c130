import type { WordsOf } from './mail-words.ts';

const OPEN = { en: 'Open your verification', de: 'Zu Ihrer Prüfung' };
const BUTTON = {
  en: { kyc: 'Verify your identity', kyb: 'Verify your business' },
  de: { kyc: 'Identität bestätigen', kyb: 'Unternehmen prüfen lassen' },
};
const CONTINUE = {
  en: 'If you have already started, you can continue where you stopped.',
  de: 'Wenn Sie schon begonnen haben, machen Sie dort weiter, wo Sie aufgehört haben.',
};

/** The words of mails to subjects. */
export const VERIFICATION_WORDS: WordsOf<'verification'> = {
  'verification.link': {
    en: ({ client, name, subjectType }) =>
      subjectType === 'kyc'
        ? {
            subject: `${client} asks you to verify your identity`,
            title: BUTTON.en.kyc,
            lead: `${name} asks you to verify your identity. It takes about ten minutes.`,
            more: 'You need a valid passport, identity card, driving licence or residence permit, and a camera, preferably on a phone. You can stop at any time and come back with the same link.',
            button: BUTTON.en.kyc,
          }
        : {
            subject: `${client} asks you to verify your business`,
            title: BUTTON.en.kyb,
            lead: `${name} asks you to verify your business and the people behind it. It takes about twenty minutes.`,
            more: 'You need a current extract from the company register, the names and dates of birth of directors and owners, your own identity document, and a camera. You can stop at any time and come back with the same link.',
            button: BUTTON.en.kyb,
          },
    de: ({ client, name, subjectType }) =>
      subjectType === 'kyc'
        ? {
            subject: `${client} bittet Sie, Ihre Identität zu bestätigen`,
            title: BUTTON.de.kyc,
            lead: `${name} bittet Sie, Ihre Identität zu bestätigen. Das dauert etwa zehn Minuten.`,
            more: 'Sie brauchen einen gültigen Reisepass, Personalausweis, Führerschein oder Aufenthaltstitel und eine Kamera, am besten die eines Smartphones. Sie können jederzeit aufhören und mit demselben Link weitermachen.',
            button: BUTTON.de.kyc,
          }
        : {
            subject: `${client} bittet Sie, Ihr Unternehmen prüfen zu lassen`,
            title: BUTTON.de.kyb,
            lead: `${name} bittet Sie, Ihr Unternehmen und die Personen dahinter prüfen zu lassen. Das dauert etwa zwanzig Minuten.`,
            more: 'Sie brauchen einen aktuellen Auszug aus dem Handelsregister, Namen und Geburtsdaten von Leitung und Eigentümern, Ihren eigenen Ausweis und eine Kamera. Sie können jederzeit aufhören und mit demselben Link weitermachen.',
            button: BUTTON.de.kyb,
          },
  },
  'verification.link_renewed': {
    en: ({ client, name, subjectType }) => ({
      subject: `${client}: your new link`,
      title: 'Your new link',
      lead: {
        kyc: `Here is your new link to verify your identity for ${name}. The previous link no longer works.`,
        kyb: `Here is your new link to verify your business for ${name}. The previous link no longer works.`,
      }[subjectType],
      more: CONTINUE.en,
      button: BUTTON.en[subjectType],
    }),
    de: ({ client, name, subjectType }) => ({
      subject: `${client}: Ihr neuer Link`,
      title: 'Ihr neuer Link',
      lead: {
        kyc: `Mit diesem neuen Link bestätigen Sie Ihre Identität für ${name}. Der vorige Link gilt nicht mehr.`,
        kyb: `Mit diesem neuen Link lassen Sie Ihr Unternehmen für ${name} prüfen. Der vorige Link gilt nicht mehr.`,
      }[subjectType],
      more: CONTINUE.de,
      button: BUTTON.de[subjectType],
    }),
  },
  'verification.reminder': {
    en: ({ client, name, subjectType }) => ({
      subject: {
        kyc: `Reminder: ${client} asks you to verify your identity`,
        kyb: `Reminder: ${client} asks you to verify your business`,
      }[subjectType],
      title: { kyc: 'Finish verifying your identity', kyb: 'Finish verifying your business' }[subjectType],
      lead: {
        kyc: `You have not finished verifying your identity for ${name}.`,
        kyb: `You have not finished verifying your business for ${name}.`,
      }[subjectType],
      more: CONTINUE.en,
      button: BUTTON.en[subjectType],
    }),
    de: ({ client, name, subjectType }) => ({
      subject: {
        kyc: `Erinnerung: ${client} bittet Sie, Ihre Identität zu bestätigen`,
        kyb: `Erinnerung: ${client} bittet Sie, Ihr Unternehmen prüfen zu lassen`,
      }[subjectType],
      title: {
        kyc: 'Bestätigung Ihrer Identität abschließen',
        kyb: 'Prüfung Ihres Unternehmens abschließen',
      }[subjectType],
      lead: {
        kyc: `Sie haben Ihre Identität für ${name} noch nicht vollständig bestätigt.`,
        kyb: `Sie haben die Prüfung Ihres Unternehmens für ${name} noch nicht abgeschlossen.`,
      }[subjectType],
      more: CONTINUE.de,
      button: BUTTON.de[subjectType],
    }),
  },
  'verification.action_needed': {
    en: ({ client, name }) => ({
      subject: `${client}: we need more from you`,
      title: 'We need more from you',
      lead: `We checked the details you gave for ${name} and need some of them again:`,
      more: 'Everything else is kept. When you are done, submit everything again.',
      button: OPEN.en,
    }),
    de: ({ client, name }) => ({
      subject: `${client}: Wir brauchen noch etwas von Ihnen`,
      title: 'Wir brauchen noch etwas von Ihnen',
      lead: `Wir haben Ihre Angaben für ${name} geprüft und brauchen einige davon noch einmal:`,
      more: 'Alles andere bleibt erhalten. Bitte senden Sie danach alles noch einmal ab.',
      button: OPEN.de,
    }),
  },
  'verification.result': {
    en: ({ client, name, result }) => ({
      subject: `${client}: the result of your verification`,
      title: { approved: 'Your verification is complete', rejected: 'Your verification is closed' }[result],
      lead: {
        approved: `Your verification for ${name} is complete. Your details are confirmed.`,
        rejected: `Your verification for ${name} is closed. We could not confirm your details.`,
      }[result],
      more: {
        approved: `${name} can now see the result. You do not need to do anything.`,
        rejected: `If you have questions, contact ${name}.`,
      }[result],
      button: OPEN.en,
    }),
    de: ({ client, name, result }) => ({
      subject: `${client}: das Ergebnis Ihrer Prüfung`,
      title: { approved: 'Ihre Prüfung ist abgeschlossen', rejected: 'Ihre Prüfung ist beendet' }[result],
      lead: {
        approved: `Ihre Prüfung für ${name} ist abgeschlossen. Ihre Angaben sind bestätigt.`,
        rejected: `Ihre Prüfung für ${name} ist beendet. Wir konnten Ihre Angaben nicht bestätigen.`,
      }[result],
      more: {
        approved: `${name} kann das Ergebnis jetzt sehen. Sie müssen nichts weiter tun.`,
        rejected: `Wenn Sie Fragen haben, wenden Sie sich bitte an ${name}.`,
      }[result],
      button: OPEN.de,
    }),
  },
};
