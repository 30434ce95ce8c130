import { currentFlow } from '@countersign/domain';
import { describe, expect, it } from 'vitest';
import { parseRequest, type Typed, type TypedItem } from './typed.ts';

function typed(...items: readonly TypedItem[]): Typed {
  return { reasonCodes: [], message: '', internalNote: '', items };
}

const SELFIE: TypedItem = { step: 'selfie', chosen: true, reasonCode: 'selfie_unclear', note: '' };

describe('the request for action that is sent', () => {
  it('holds just the steps that are ticked', () => {
    const person: TypedItem = { step: 'person', chosen: false, reasonCode: 'data_mismatch', note: 'Which?' };
    expect(parseRequest(currentFlow('kyc'), typed(person, SELFIE))).toEqual({
      message: null,
      items: [{ step: 'selfie', reasonCode: 'selfie_unclear', note: null }],
    });
  });

  it('never goes without a step that is ticked and has no reason yet', () => {
    const person: TypedItem = { step: 'person', chosen: true, reasonCode: null, note: '' };
    expect(() => parseRequest(currentFlow('kyc'), typed(person, SELFIE))).toThrow(
      expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
    );
  });
});
