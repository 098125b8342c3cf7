import { minuteMs } from '../../../domain/clock.ts';
import { technicalBackoffMs } from '../../../domain/limits.ts';
import { present } from '../../../domain/present.ts';
import { truncatedText } from '../../../domain/truncated-text.ts';
import type { PaymentContext, TransactionOutcome } from '../../engine-ports.ts';
import type { ChargeResult } from '../../psp-ports.ts';

/** What a charge's result changes in its row. */
export function outcomeOf(
  attemptId: string,
  ordinal: number,
  result: ChargeResult,
): TransactionOutcome {
  const own = { attemptId, ordinal };
  switch (result.kind) {
    case 'succeeded': {
      const { pspTransactionId, networkTransactionId } = result;
      const network = networkTransactionId === undefined ? {} : { networkTransactionId };
      return { ...own, state: 'succeeded', pspTransactionId, ...network };
    }
    case 'declined': {
      const { pspTransactionId, networkTransactionId, decline } = result;
      const { message } = decline;
      return {
        ...own,
        state: 'declined',
        decline: {
          ...decline,
          ...(message !== undefined && { message: truncatedText(message) }),
        },
        ...present({ pspTransactionId, networkTransactionId }),
      };
    }
    case 'paid_elsewhere':
      return { ...own, state: 'not_made', reason: truncatedText(result.reason) };
    case 'unknown':
    case 'not_made':
      return { ...own, state: result.kind, reason: truncatedText(result.reason) };
  }
}

/** The payment as one that is to stop, since another charge than ours paid its debt. */
export function paidElsewhere(payment: PaymentContext, reason: string): PaymentContext {
  return { ...payment, stopReason: 'recovered_elsewhere', stopDetail: truncatedText(reason) };
}

/** The wait after a charge that the PSP never took: longer with each one in a row. */
export function technicalBackoff(payment: PaymentContext): number {
  const step = Math.min(payment.postponements, technicalBackoffMs.length - 1);
  return technicalBackoffMs[step] ?? minuteMs;
}
