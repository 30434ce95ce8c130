import { describe, expect, it } from 'vitest';
import { type ActionNeeded, parseActionNeeded } from './decision.ts';
import { currentFlow } from './flow.ts';

describe('a request for action', () => {
  it('that was checked can be sent as it is, and stays the same', () => {
    const request: ActionNeeded = {
      items: [
        { step: 'selfie', reasonCode: 'selfie_unclear' },
        { step: 'document', reasonCode: 'other', note: ' Without flash ' },
      ],
    };
    const checked = parseActionNeeded(currentFlow('kyc'), request);
    expect(checked.items.map(({ step, note }) => [step, note])).toEqual([
      ['document', 'Without flash'],
      ['selfie', null],
    ]);
    expect(parseActionNeeded(currentFlow('kyc'), checked)).toEqual(checked);
  });

  it.each([undefined, null])('with the reason other needs a note, which %s is not', (note) => {
    const request: ActionNeeded = { items: [{ step: 'person', reasonCode: 'other', note }] };
    expect(() => parseActionNeeded(currentFlow('kyc'), request)).toThrow(
      expect.objectContaining({ data: { issues: [expect.objectContaining({ code: 'note_needed' })] } }),
    );
  });
});
