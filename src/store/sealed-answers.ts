import { invariant } from '../domain/errors.ts';
import type { IdempotencyKeyOf, IdempotencyStore } from '../recovery/idempotency.ts';
import { currentDataKey } from './admin/secrets.ts';
import type { Queryable } from './database.ts';
import type { Sealer, SecretPlace, WrappedDataKey } from './sealing/sealer.ts';

/**
 * Idempotency keys whose answers hold secrets: what is kept of these answers is sealed under the merchant's data key,
 * in base64. Answers without secrets are kept as they are.
 */
export function sealingAnswers(
  deps: { readonly db: Queryable; readonly sealer: Pick<Sealer, 'seal' | 'open'> },
  keys: IdempotencyStore,
): IdempotencyStore {
  const { db, sealer } = deps;
  const dataKeyOf = async (merchantId: string): Promise<WrappedDataKey> => {
    const dataKey = await currentDataKey(db, merchantId);
    invariant(dataKey !== undefined, 'a merchant has a data key');
    return dataKey;
  };
  return {
    async begin(input) {
      const begun = await keys.begin(input);
      if (begun.kind !== 'replay' || input.isSecret !== true) return begun;
      const sealed = Buffer.from(begun.body, 'base64');
      const dataKey = await dataKeyOf(input.merchantId);
      return { ...begun, body: await sealer.open(placeOf(input), dataKey, sealed) };
    },
    async complete(input) {
      if (input.isSecret !== true) return keys.complete(input);
      const dataKey = await dataKeyOf(input.merchantId);
      const sealed = await sealer.seal(placeOf(input), dataKey, input.body);
      return keys.complete({ ...input, body: Buffer.from(sealed).toString('base64') });
    },
    abandon: (input) => keys.abandon(input),
  };
}

function placeOf({ merchantId, route, key }: IdempotencyKeyOf): SecretPlace {
  return { merchantId, kind: 'repeated_answer', name: `${route} ${key}` };
}
