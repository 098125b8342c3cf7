import { hash } from 'node:crypto';
import { base32 } from '../../domain/ids.ts';
import type { Psp } from '../../domain/psps.ts';

/** The try of one payment method that a key stands for. */
export interface ChargeTry {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly paymentMethodId: string;
  /** 1 and one more for each definite decline of the method in this invoice's recovery. */
  readonly number: number;
}

const digits = 30;

/**
 * The idempotency key of a try, a function of the debt and the try alone: whoever comes to make it, after
 * a crash, a theft of the lease or a restored backup, makes it under this key, and the PSP answers
 * what became of it the first time. `rcp_` and 30 characters of the SHA-256 in Crockford's base 32
 * (150 bits) over the parts, each behind its length, so that no two debts share their bytes.
 */
export function chargeKey(own: ChargeTry): string {
  return `rcp_${hashOf([own.merchantId, own.invoiceId, own.paymentMethodId, String(own.number)])}`;
}

/**
 * The idempotency key of the refund of a charge: made once, whoever makes it and how often. `number` is
 * 1 and one more for each refund that failed: a PSP answers a key with what became of it the first time.
 */
export function refundKey(charge: {
  readonly merchantId: string;
  readonly psp: Psp;
  readonly pspTransactionId: string;
  readonly number: number;
}): string {
  const { merchantId, psp, pspTransactionId, number } = charge;
  const parts = [merchantId, psp, pspTransactionId, ...(number === 1 ? [] : [String(number)])];
  return `rcr_${hashOf(parts)}`;
}

function hashOf(parts: readonly string[]): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  return base32(hash('sha256', text, 'buffer')).slice(0, digits);
}
