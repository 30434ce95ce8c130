import type { ShownAppearance } from '@countersign/domain/clients';

/** Values that are hard to lay out: the longest, the widest, and those that are written from right to left. */
export const HARD: Readonly<Record<'clientName' | 'reference' | 'longWord' | 'rightToLeft' | 'email', string>> = {
  clientName: 'W'.repeat(60),
  reference: 'customer-'.padEnd(256, '0123456789abcdef'),
  // cspell:disable-next-line
  longWord: 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle',
  rightToLeft: 'شركة السلام للتجارة 7',
  email: `${'long.address.of.a.person'.repeat(3)}@example.org`,
};

/** The id of a verification. */
export const ID = '01a225e5-4340-752d-9c11-3f0b8c2d6e51';

/** When the pages are looked at. */
export const NOW: Date = new Date('2026-07-01T12:00:00.000Z');

export function minutesBefore(minutes: number): Date {
  return new Date(NOW.getTime() - minutes * 60_000);
}

/** The client whose logo has these sides. */
export const LOGO_CLIENT = 'design';

/** Logos as narrow and as wide as they may be, by their id. */
export const LOGOS = {
  tall: { width: 64, height: 512 },
  wide: { width: 512, height: 64 },
} as const;

/** A client that set everything, with a colour that has too little contrast on light pages. */
export const APPEARANCE: ShownAppearance = {
  clientId: LOGO_CLIENT,
  name: HARD.clientName,
  colour: '#ffd400',
  supportAddress: HARD.email,
  privacyAddress: 'https://example.org/privacy',
  logo: null,
};
