import type { Fields } from '../../fields/field.ts';

export interface Address {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly city: string;
  readonly region?: string | undefined;
  readonly country: string;
}

export const addressFields: Fields<Address> = {
  line1: { kind: 'text', max: 200, purpose: 'address-line1' },
  line2: { kind: 'text', max: 200, purpose: 'address-line2', optional: true },
  postalCode: { kind: 'text', max: 20, purpose: 'postal-code', optional: true },
  city: { kind: 'text', max: 100, purpose: 'address-level2' },
  region: { kind: 'text', max: 100, purpose: 'address-level1', optional: true },
  country: { kind: 'country', purpose: 'country' },
};
