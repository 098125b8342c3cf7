import type { PersonalData } from '../../domain/analytics/analytics.ts';
import type { Random } from '../../domain/random.ts';
import { decrypt, encrypt } from '../sealing/cipher.ts';
import type { SecretPlace } from '../sealing/sealer.ts';

/** Which analytics record; what is sealed for it opens for no other. */
export interface AnalyticsKey {
  readonly merchantId: string;
  readonly analyticsId: string;
}

/** Seals the personal data of an analytics record under its person's key. */
export function sealPersonalData(
  random: Random,
  input: { readonly id: AnalyticsKey; readonly key: Uint8Array; readonly data: PersonalData },
): Uint8Array {
  const { customerEmail, ipv4Address, userAgent } = input.data;
  const plain = Buffer.from(JSON.stringify({ customerEmail, ipv4Address, userAgent }));
  return encrypt(random, { key: input.key, context: contextOf(input.id), plain });
}

/** Undefined where the key is another, or a bit was changed. */
export function openPersonalData(input: {
  readonly id: AnalyticsKey;
  readonly key: Uint8Array;
  readonly sealed: Uint8Array;
}): PersonalData | undefined {
  const { id, key, sealed } = input;
  const plain = decrypt({ key, context: contextOf(id), sealed });
  if (plain === undefined) return undefined;
  // Authenticated, so it is what sealPersonalData wrote.
  return JSON.parse(Buffer.from(plain).toString()) as PersonalData;
}

/** Where a person's key belongs. */
export function subjectPlace(merchantId: string, subjectId: string): SecretPlace {
  return { merchantId, kind: 'analytics_subject', name: subjectId };
}

function contextOf({ merchantId, analyticsId }: AnalyticsKey): string {
  return JSON.stringify(['analytics', merchantId, analyticsId]);
}
