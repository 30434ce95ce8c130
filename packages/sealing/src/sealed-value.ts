import type { KeyObject } from 'node:crypto';
import type { JsonObject, JsonValue } from '@countersign/domain';
import { bytesOf, decrypt, encrypt, placeOf } from './cipher.ts';
import type { DataKeyContext } from './key-wrapping.ts';
import { SealingError } from './sealing-error.ts';

/** The values of a verification that hold personal data. */
export type SealedField = 'answers' | 'reviewData' | 'notify' | 'warnings';

/** The property that holds the version of a sealed value. No other value of these fields has it. */
const MARKER = 'countersignSealed';
const VERSION = 1;

/** Where a sealed value stands within its verification: a field, or one of several entries of a kind. */
interface SealedPlace {
  readonly name: string;
  readonly parts: readonly string[];
}

const fieldPlace = (field: SealedField): SealedPlace => ({ name: field, parts: [field] });

/**
 * Encrypts a JSON object as `{ countersignSealed: 1, data }`, with `data` in base64url. It opens only with the same
 * key, field, verification and client. An empty object is returned unchanged.
 */
export function sealValue(
  value: JsonObject,
  field: SealedField,
  context: DataKeyContext,
  dataKey: KeyObject,
): JsonObject {
  return isEmpty(value) ? value : seal(value, fieldPlace(field), context, dataKey);
}

/** @throws SealingError `NOT_SEALED` or `DAMAGED` */
export function unsealValue(
  value: JsonObject,
  field: SealedField,
  context: DataKeyContext,
  dataKey: KeyObject,
): JsonObject {
  return isEmpty(value) ? value : unseal(value, fieldPlace(field), context, dataKey);
}

/** Encrypts one of several entries of a kind as `sealValue`: it opens only with the same id too. An empty object is encrypted as well. */
export function sealPart(
  value: JsonObject,
  kind: 'reading',
  id: string,
  context: DataKeyContext,
  dataKey: KeyObject,
): JsonObject {
  return seal(value, { name: kind, parts: [kind, id] }, context, dataKey);
}

/** @throws SealingError `NOT_SEALED` or `DAMAGED` */
export function unsealPart(
  value: JsonObject,
  kind: 'reading',
  id: string,
  context: DataKeyContext,
  dataKey: KeyObject,
): JsonObject {
  return unseal(value, { name: kind, parts: [kind, id] }, context, dataKey);
}

function seal(value: JsonObject, place: SealedPlace, context: DataKeyContext, dataKey: KeyObject): JsonObject {
  const sealed = encrypt(dataKey, boundTo(place, context), Buffer.from(JSON.stringify(value)));
  return { [MARKER]: VERSION, data: sealed.toString('base64url') };
}

function unseal(value: JsonObject, place: SealedPlace, context: DataKeyContext, dataKey: KeyObject): JsonObject {
  const content = decrypt(dataKey, boundTo(place, context), sealedBytes(value, place, context));
  if (content === undefined) throw damaged(place, context);
  // The text is authenticated, so only `seal` can have written it.
  return JSON.parse(content.toString()) as JsonObject;
}

/** Whether an object has no keys. Makes no list of keys, because it runs for every record that is read. */
export function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}

function sealedBytes(value: JsonObject, place: SealedPlace, context: DataKeyContext): Buffer {
  const { [MARKER]: version, data, ...others } = value as { readonly [name: string]: JsonValue | undefined };
  if (version === undefined) {
    const { verificationId } = context;
    throw new SealingError('NOT_SEALED', `The ${place.name} of verification ${verificationId} are not sealed`, {
      verificationId,
    });
  }
  const bytes = typeof data === 'string' ? bytesOf(data) : undefined;
  if (version !== VERSION || bytes === undefined || Object.keys(others).length > 0) throw damaged(place, context);
  return bytes;
}

function damaged({ name }: SealedPlace, { verificationId }: DataKeyContext): SealingError {
  return new SealingError('DAMAGED', `The sealed ${name} of verification ${verificationId} are damaged`, {
    verificationId,
  });
}

function boundTo({ parts }: SealedPlace, { clientId, verificationId }: DataKeyContext): string {
  return placeOf(`countersign sealed value v${VERSION}`, clientId, verificationId, ...parts);
}
