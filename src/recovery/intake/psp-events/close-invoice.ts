import { isStorableId, truncatedText } from '../../../domain/truncated-text.ts';
import { stopPayment } from '../../engine/stop-payment.ts';
import type { PspEventOutcome } from '../../psp-event-ports.ts';
import type { IncomingEvent, PspEventDeps } from './deps.ts';

/**
 * Stops the recovery of an invoice of which nothing is owed any more. It is remembered first: a failure
 * that is told later finds it, and one that was told before is stopped here.
 */
export async function closeInvoice(
  deps: PspEventDeps,
  { merchantId, parsed }: IncomingEvent<'invoice_closed'>,
): Promise<PspEventOutcome> {
  const closed = parsed.invoiceId;
  if (!isStorableId(closed)) return 'unusable';
  const detail = truncatedText(parsed.reason);
  const at = deps.clock.now();
  const invoiceId = await deps.events.closeInvoice({
    merchantId,
    invoiceId: closed,
    reason: detail,
    at,
  });
  const outcome = await stopPayment(deps, {
    merchantId,
    invoiceId,
    reason: 'invoice_closed',
    detail,
    waits: false,
  });
  switch (outcome.kind) {
    case 'stopped':
    case 'in_flight':
      return 'recovery_stopped';
    case 'already':
    case 'not_found':
      return 'nothing_to_stop';
  }
}
