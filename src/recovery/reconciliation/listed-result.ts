import { addMs, hourMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { DefiniteResult } from '../engine/answers/judge-answer.ts';
import type { EngineDeps } from '../engine/deps.ts';
import type { ListedCharge, PspGateway } from '../psp-ports.ts';
import type { OwnCharge, Reconciliation } from './reconciliation-ports.ts';

/** A run does not wait for longer for the reason of a decline: meanwhile a restored service charges nothing. */
const maxReasonWaitMs = hourMs;
/** Then each record is asked so many times before the list's word is taken: others had the hour. */
const lastTries = 3;

/**
 * What a listed charge says of ours. A list does not say why a charge was declined, and a card that was
 * said to be stolen is not to be charged again: where the PSP has a record, that is asked for the reason,
 * and where it does not answer, the run waits.
 */
export async function listedResult(
  deps: Pick<EngineDeps, 'clock' | 'payments'>,
  run: Reconciliation,
  input: {
    readonly ours: Pick<
      OwnCharge,
      'merchantId' | 'invoiceId' | 'idempotencyKey' | 'paymentMethodId' | 'at'
    >;
    readonly listed: ListedCharge;
    readonly gateway: PspGateway | undefined;
  },
): Promise<DefiniteResult | { readonly kind: 'waits'; readonly reason: string }> {
  const { pspTransactionId, amountMinor, currency, isLive, state } = input.listed;
  const told = { amountMinor, currency, ...present({ isLive }) };
  if (state === 'succeeded') return { kind: 'succeeded', pspTransactionId, told };
  if (input.gateway?.capabilities.lookUp === 'by_record') {
    const waits = deps.clock.now() < addMs(run.startedAt, maxReasonWaitMs);
    for (let tries = waits ? 1 : lastTries; tries > 0; tries -= 1) {
      const found = await recordOf(deps, { ...input, gateway: input.gateway });
      // A list may name one try of several: that money was taken is the record's to say.
      if (found.kind === 'declined' || found.kind === 'succeeded') return found;
      if (found.kind !== 'unknown') break;
      if (waits) {
        return { kind: 'waits', reason: `why a charge was declined is not known: ${found.reason}` };
      }
    }
  }
  const decline = { category: 'later', code: 'listed_as_declined' } as const;
  return { kind: 'declined', pspTransactionId, decline, told };
}

async function recordOf(
  deps: Pick<EngineDeps, 'payments'>,
  { ours, listed, gateway }: Parameters<typeof listedResult>[2] & { readonly gateway: PspGateway },
) {
  const { merchantId, invoiceId, idempotencyKey, paymentMethodId, at } = ours;
  const payment = await deps.payments.load({ merchantId, invoiceId });
  const pspInvoiceId = payment?.pspInvoiceId ?? listed.pspInvoiceId;
  const pspCustomerId = payment?.pspCustomerId ?? listed.pspCustomerId;
  return gateway.lookUp({
    merchantId,
    invoiceId,
    idempotencyKey,
    sentAt: at,
    amountMinor: listed.amountMinor,
    currency: listed.currency,
    paymentMethodId,
    ...present({ pspInvoiceId, pspCustomerId }),
  });
}
