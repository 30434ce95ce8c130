// A camera looks for a second at each picture before it takes it.
import { openOnPhone, walkWithCamera } from '@countersign/test-support/browser/camera-walk';
import { type InputMethod, keyboard, touch } from '@countersign/test-support/browser/input-method';
import type { Typed } from '@countersign/test-support/pages/page-answers';
import { type ServerProcess, startServer } from '@countersign/test-support/processes/server-process';
import { describeWith } from '@countersign/test-support/servers';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';

const PERSON: Readonly<Record<string, Typed>> = {
  state: { accepted: 'true' },
  details: {
    number: 'ABC123456',
    'expiresOn.day': '1',
    'expiresOn.month': '2',
    'expiresOn.year': '2043',
    firstName: 'Zoë',
    lastName: 'Núñez',
    'dateOfBirth.day': '27',
    'dateOfBirth.month': '3',
    'dateOfBirth.year': '1987',
    'nationalities.0': 'Poland',
  },
  address: { country: 'Poland', line1: 'ul. Długa 1', city: 'Gdańsk', postalCode: '80-827' },
  check: { accepted: 'true' },
};
const PLACE_OF_BIRTH: Typed = { 'placeOfBirth.city': 'Gdańsk', 'placeOfBirth.country': 'Poland' };

interface Walk {
  readonly document: 'id_card' | 'passport';
  readonly placeOfBirth?: boolean;
  readonly inputOf?: (page: Page) => InputMethod;
}

describeWith(['chromium'], 'a subject with a camera, from the link to the end', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServer();
  });

  async function walked({ document, placeOfBirth = false, inputOf = touch }: Walk) {
    const { page, camera, activity, complaints, status } = await openOnPhone(server, { placeOfBirth });
    await walkWithCamera({
      page,
      input: inputOf(page),
      answers: {
        ...PERSON,
        document: { type: document, issuingCountry: 'Poland' },
        details: { ...PERSON.details, ...(placeOfBirth && PLACE_OF_BIRTH) },
      },
      film: (slug) => camera.film(slug === 'selfie' ? 'face' : document === 'passport' ? 'passport' : 'card'),
    });
    expect(await status()).toBe('submitted');
    complaints.expectNone();
    return activity;
  }

  describe.concurrent('with a screen of 390 × 844 pixels', () => {
    it.each<[string, Walk, screens: number, inputs: number, taps: readonly number[]]>([
      ['a card: 9 screens, 14 inputs', { document: 'id_card' }, 9, 14, [2, 1, 2]],
      ['a passport: 8 screens, 14 inputs', { document: 'passport' }, 8, 14, [2, 0, 2]],
    ])('%s, and at most two taps a picture', async (_, walk, screens, inputs, taps) => {
      const activity = await walked(walk);
      expect(activity.screens).toHaveLength(screens);
      expect([...activity.inputs]).toHaveLength(inputs);
      expect(['document-front', 'document-back', 'selfie'].map((slug) => activity.taps(slug))).toEqual(taps);
    });

    it('a card and the place of birth, with a keyboard alone: 9 screens, 16 inputs', async () => {
      const activity = await walked({ document: 'id_card', placeOfBirth: true, inputOf: keyboard });
      expect(activity.screens).toHaveLength(9);
      expect([...activity.inputs]).toHaveLength(16);
      expect(activity.taps()).toBe(0);
    });
  });
});
