import type { AppearanceDetails, Logo, LogoFacts } from '@countersign/domain/clients';

/** The details of an appearance that has all of them. */
export function someDetails(n = 1): AppearanceDetails {
  return {
    displayName: `Zoë & “Söhne” ${n} 😀`,
    colour: `#1d4f9${n}`,
    supportAddress: `help${n}@shop.example`,
    privacyAddress: `https://shop.example/privacy/${n}`,
  };
}

export const NO_DETAILS: AppearanceDetails = {
  displayName: null,
  colour: null,
  supportAddress: null,
  privacyAddress: null,
};

/** The id of a logo, with letters. */
export function logoId(n: number): string {
  return `${'af'.repeat(31)}e${n}`;
}

/** A logo whose content has every byte, and as many as a logo may have. */
export function aLogo(n = 1): Logo {
  const content = Uint8Array.from({ length: n === 1 ? 65_536 : 256 * n }, (_, index) => (index * n + 137) % 256);
  return { id: logoId(n), width: 512, height: n, content };
}

export function factsOf({ id, width, height }: Logo): LogoFacts {
  return { id, width, height };
}
