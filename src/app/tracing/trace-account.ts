import type { PspAccount } from '../../psp/adapter.ts';
import type { Tracing } from './tracing.ts';

/**
 * An account whose charges and look-ups stand in the traces of their recoveries. Processors are sent no
 * `traceparent`: what we do beside a charge is not theirs to know.
 */
export function traceAccount(
  tracing: Pick<Tracing, 'span'> | undefined,
  psp: string,
  account: PspAccount,
): PspAccount {
  if (tracing === undefined) return account;
  const inSpan = <Result extends { readonly kind: string }>(
    name: string,
    { merchantId, invoiceId }: { readonly merchantId: string; readonly invoiceId: string },
    ask: () => Promise<Result>,
  ) =>
    tracing.span(
      {
        name,
        kind: 'client',
        recovery: { merchantId, invoiceId },
        attributes: { 'recoup.psp': psp },
      },
      async (span) => {
        const result = await ask();
        span.note({ 'recoup.outcome': result.kind });
        if (result.kind === 'unknown') span.fail('the outcome is unknown');
        return result;
      },
    );
  return {
    ...account,
    charge: (request) => inSpan('charge', request, () => account.charge(request)),
    lookUp: (request) => inSpan('look up charge', request, () => account.lookUp(request)),
  };
}
