import { createHash } from 'node:crypto';
import type { RecoveryName } from './tracing.ts';

/**
 * The trace of a recovery: 32 hexadecimal digits, the first 16 bytes of the SHA-256 of its two ids with a
 * line feed between. A recovery lives for weeks in many processes; they all find its trace so,
 * without a column for it, and so does whoever has the ids.
 */
export function recoveryTraceId({ merchantId, invoiceId }: RecoveryName): string {
  const hash = createHash('sha256').update(`${merchantId}\n${invoiceId}`).digest('hex');
  return hash.slice(0, 32);
}
