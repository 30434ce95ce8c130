import { type KeyWrapping, subjectOf, type WrappingContext, wrappedName } from './key-wrapping.ts';
import { SealingError, unavailableWithoutKey } from './sealing-error.ts';

/** A short text, such as a secret or a key, and the name of the key that encrypted it; null where it is not encrypted. */
export interface StoredText {
  readonly value: string;
  readonly wrappedBy: string | null;
}

/** Encrypts a text with the newest key. */
export async function sealSecret(
  { value }: Pick<StoredText, 'value'>,
  context: WrappingContext,
  keys: KeyWrapping,
): Promise<StoredText> {
  const { wrapped, wrappedBy } = await keys.wrap(Buffer.from(value), context);
  return { value: wrapped, wrappedBy };
}

/** Encrypts a stored text with the newest key, also one that is not encrypted. @throws SealingError if it cannot be decrypted */
export async function rewrapSecret(
  stored: StoredText,
  context: WrappingContext,
  keys: KeyWrapping,
): Promise<StoredText> {
  const value = stored.wrappedBy === null ? stored.value : await openSecret(stored, context, keys);
  return sealSecret({ value }, context, keys);
}

/** Returns the decrypted text, or one whose value throws why it cannot be decrypted. */
export async function unsealSecret<S extends StoredText>(
  stored: S,
  context: WrappingContext,
  keys: KeyWrapping,
): Promise<S> {
  try {
    return { ...stored, value: await unavailableWithoutKey(openSecret(stored, context, keys)), wrappedBy: null };
  } catch (fault) {
    const get = (): never => {
      throw fault;
    };
    return Object.defineProperty({ ...stored, wrappedBy: null }, 'value', { get, enumerable: true });
  }
}

/** Decrypts a text. @throws SealingError, and the errors of `keys` */
async function openSecret(
  { value: wrapped, wrappedBy }: StoredText,
  context: WrappingContext,
  keys: KeyWrapping,
): Promise<string> {
  if (wrappedBy === null) {
    throw new SealingError('NOT_SEALED', `${wrappedName(context)} is not sealed`, subjectOf(context));
  }
  return Buffer.from(await keys.unwrap({ wrapped, wrappedBy }, context)).toString();
}
