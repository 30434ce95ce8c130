import type { KeyObject } from 'node:crypto';
import type { JsonObject, JsonValue } from '@countersign/domain';
import { bytesOf, decrypt, encrypt, placeOf } from './cipher.ts';
import type { DataKeyContext } from './key-wrapping.ts';
import { SealingError } from './sealing-error.ts';

/** The values of a verification that hold personal data. */
export type SealedField = 'answers' | 'reviewData' | 'notify';

/** The property that holds the version of a sealed value. No other value of these fields has it. */
const MARKER = 'countersignSealed';
const VERSION = 1;

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
  if (isEmpty(value)) return value;
  const sealed = encrypt(dataKey, placeOfField(field, context), Buffer.from(JSON.stringify(value)));
  return { [MARKER]: VERSION, data: sealed.toString('base64url') };
}

/** @throws SealingError `NOT_SEALED` or `DAMAGED` */
export function unsealValue(
  value: JsonObject,
  field: SealedField,
  context: DataKeyContext,
  dataKey: KeyObject,
): JsonObject {
  if (isEmpty(value)) return value;
  const content = decrypt(dataKey, placeOfField(field, context), sealedBytes(value, field, context));
  if (content === undefined) throw damaged(field, context);
  // The text is authenticated, so only `sealValue` can have written it.
  return JSON.parse(content.toString()) as JsonObject;
}

/** Whether an object has no keys. Makes no list of keys, because it runs for every record that is read. */
export function isEmpty(value: JsonObject): boolean {
  for (const _ in value) return false;
  return true;
}

function sealedBytes(value: JsonObject, field: SealedField, context: DataKeyContext): Buffer {
  const { [MARKER]: version, data, ...others } = value as { readonly [name: string]: JsonValue | undefined };
  if (version === undefined) {
    const { verificationId } = context;
    throw new SealingError('NOT_SEALED', `The ${field} of verification ${verificationId} are not sealed`, {
      verificationId,
    });
  }
  const bytes = typeof data === 'string' ? bytesOf(data) : undefined;
  if (version !== VERSION || bytes === undefined || Object.keys(others).length > 0) throw damaged(field, context);
  return bytes;
}

function damaged(field: SealedField, { verificationId }: DataKeyContext): SealingError {
  return new SealingError('DAMAGED', `The sealed ${field} of verification ${verificationId} are damaged`, {
    verificationId,
  });
}

function placeOfField(field: SealedField, { clientId, verificationId }: DataKeyContext): string {
  return placeOf(`countersign sealed value v${VERSION}`, clientId, verificationId, field);
}
