import { describe, expect, it } from 'vitest';
import { checkIdempotencyKey, newVerificationIssues, parseNewVerification } from './new-verification.ts';

const good = { subjectType: 'kyc', subjectReference: 'user_1' };
const refusal = (code: string, path: string) =>
  expect.objectContaining({ code, data: { issues: expect.arrayContaining([expect.objectContaining({ path })]) } });

describe('the body of a creation', () => {
  it('is kept as sent; metadata left out is empty', () => {
    expect(parseNewVerification({ ...good, subjectReference: '  Ünï 🦉 ' })).toEqual({
      subjectType: 'kyc',
      subjectReference: '  Ünï 🦉 ',
      metadata: {},
    });
    expect(parseNewVerification({ ...good, metadata: { a: [1] } }).metadata).toEqual({ a: [1] });
  });

  it.each([undefined, null, '', 'KYC', 'person', 1, ['kyc']])(
    'with subjectType %j is INVALID_SUBJECT_TYPE',
    (subjectType) => {
      expect(() => parseNewVerification({ ...good, subjectType })).toThrow(
        refusal('INVALID_SUBJECT_TYPE', 'subjectType'),
      );
    },
  );

  it.each([undefined, null, ''])('with subjectReference %j is MISSING_SUBJECT_REFERENCE', (subjectReference) => {
    const attempt = () => parseNewVerification({ ...good, subjectReference });
    const issues = [{ path: 'subjectReference', message: 'is required' }];
    expect(attempt).toThrow(expect.objectContaining({ code: 'MISSING_SUBJECT_REFERENCE', data: { issues } }));
  });

  it('with returnUrl and locale null says what they must be, since both may be omitted', () => {
    const attempt = () => parseNewVerification({ ...good, returnUrl: null, locale: null });
    const issues = ['returnUrl', 'locale'].map((path) =>
      expect.objectContaining({ path, message: 'must be a string' }),
    );
    expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETERS', data: { issues } }));
  });

  it('reports subjectType first when both are bad', () => {
    expect(() => parseNewVerification({})).toThrow(expect.objectContaining({ code: 'INVALID_SUBJECT_TYPE' }));
  });

  it.each([
    ['a number as reference', { ...good, subjectReference: 7 }, 'subjectReference'],
    ['257 characters', { ...good, subjectReference: 'x'.repeat(257) }, 'subjectReference'],
    ['a lone surrogate', { ...good, subjectReference: '\ud800' }, 'subjectReference'],
    ['the reference of an erased verification', { ...good, subjectReference: 'erased:1' }, 'subjectReference'],
    ['NUL', { ...good, subjectReference: 'a\u0000' }, 'subjectReference'],
    ['metadata null', { ...good, metadata: null }, 'metadata'],
    ['an array as metadata', { ...good, metadata: [] }, 'metadata'],
    ['a bad place in metadata', { ...good, metadata: { a: { b: 1e300 } } }, 'metadata.a.b'],
    ['an unknown field', { ...good, metdata: {} }, 'metdata'],
    ['__proto__', JSON.parse('{"subjectType":"kyc","subjectReference":"a","__proto__":{}}'), '__proto__'],
  ])('with %s is INVALID_PARAMETERS', (_what, input, path) => {
    expect(() => parseNewVerification(input)).toThrow(refusal('INVALID_PARAMETERS', path));
  });

  it('accepts a reference of 256 characters beyond the BMP', () => {
    const subjectReference = '🦉'.repeat(256);
    expect(parseNewVerification({ ...good, subjectReference }).subjectReference).toBe(subjectReference);
  });
});

it.each([null, 'user_1', [], 7])('a body that is %j is INVALID_PARAMETERS', (body) => {
  expect(() => parseNewVerification(body)).toThrow(refusal('INVALID_PARAMETERS', ''));
});

it.each([
  [good, []],
  [{ ...good, subjectReference: undefined }, []],
  [{ ...good, subjectReference: 'x'.repeat(257) }, ['subjectReference']],
  [{ subjectType: 'person', subjectReference: '', metadata: [] }, ['subjectType', 'metadata']],
])('newVerificationIssues: lists all but a missing subjectReference: %j', (body, paths) => {
  expect(newVerificationIssues(body).map(({ path }) => path)).toEqual(paths);
});

describe('an Idempotency-Key', () => {
  it.each(['a', 'x'.repeat(255), '~ !'])('%j is fine', (key) => {
    expect(() => checkIdempotencyKey(key)).not.toThrow();
  });

  it.each(['', 'x'.repeat(256), 'é', 'tab\t'])('%j is refused', (key) => {
    expect(() => checkIdempotencyKey(key)).toThrow(refusal('INVALID_PARAMETERS', 'Idempotency-Key'));
  });
});
