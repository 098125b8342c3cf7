import type { RecoveryApi } from '../../recovery/api.ts';
import type { Tracing } from './tracing.ts';

/** What merchants report and ask for, in the traces of their recoveries. */
export function traceRecoveryApi(
  tracing: Pick<Tracing, 'span'> | undefined,
  api: RecoveryApi,
): RecoveryApi {
  if (tracing === undefined) return api;
  const of = (name: string, merchantId: string, invoiceId: string) => ({
    name,
    recovery: { merchantId, invoiceId },
  });
  return {
    ...api,
    acceptPayment: (input) =>
      tracing.span(of('accept payment', input.merchantId, input.body.invoice.id), (span) => {
        span.note({ 'recoup.request_uuid': input.uuid });
        return api.acceptPayment(input);
      }),
    retryPayment: (input) =>
      tracing.span(of('ask for a retry', input.merchantId, input.invoiceId), async (span) => {
        const outcome = await api.retryPayment(input);
        span.note({ 'recoup.outcome': outcome.kind });
        return outcome;
      }),
    stopPayment: (input) =>
      tracing.span(of('ask for a stop', input.merchantId, input.invoiceId), async (span) => {
        const outcome = await api.stopPayment(input);
        span.note({ 'recoup.outcome': outcome.kind });
        return outcome;
      }),
  };
}
