// @ts-check
// Adds the user's local time to the moments of a page, which the server writes in UTC: it does not know the time zone.

const { lang } = document.documentElement;
const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : lang, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
});

// Days without a time have no `T`: they are the same in every time zone.
for (const time of document.querySelectorAll('time[datetime*="T"]')) {
  if (!(time instanceof HTMLTimeElement)) continue;
  const moment = new Date(time.dateTime);
  if (moment.getTimezoneOffset() === 0) continue;
  const local = format.format(moment);
  time.title = time.title === '' ? local : `${time.title} · ${local}`;
}
