import { AppError } from '../../domain/errors.ts';
import type { KeyProvider } from './key-provider.ts';

const format = 1;

/** A key as its row holds it: the format, the length of the wrapping key's id, the id, and the rest. */
export async function wrapKey(
  keys: KeyProvider,
  plain: Uint8Array,
  context: string,
): Promise<Uint8Array> {
  const id = Buffer.from(keys.keyId, 'latin1');
  const wrapped = await keys.wrap(plain, context);
  return Buffer.concat([Uint8Array.of(format, id.length), id, wrapped]);
}

/** @throws AppError encryption_key_wrong, key_service_failed */
export async function unwrapKey(
  keys: KeyProvider,
  wrapped: Uint8Array,
  context: string,
): Promise<Uint8Array> {
  const [begins, idLength = 0] = wrapped;
  if (begins !== format) throw new AppError('encryption_key_wrong');
  const keyId = Buffer.from(wrapped.subarray(2, 2 + idLength)).toString('latin1');
  return await keys.unwrap(wrapped.subarray(2 + idLength), context, keyId);
}
