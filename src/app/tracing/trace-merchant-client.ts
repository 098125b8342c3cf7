import type { MerchantClient } from '../../recovery/merchant-ports.ts';
import type { Tracing } from './tracing.ts';

/** The calls to merchants' servers, within what asks for them. */
export function traceMerchantClient(
  tracing: Pick<Tracing, 'span'> | undefined,
  client: MerchantClient,
): MerchantClient {
  if (tracing === undefined) return client;
  return {
    askRetryStatus: (request) =>
      tracing.span({ name: 'final check', kind: 'client' }, async (span) => {
        const answer = await client.askRetryStatus(request);
        span.note({ 'recoup.outcome': answer.kind });
        if (answer.kind === 'no_answer') span.fail(answer.cause);
        return answer;
      }),
    sendWebhook: (request) =>
      tracing.span({ name: 'send webhook', kind: 'client' }, async (span) => {
        const result = await client.sendWebhook(request);
        span.note({
          'recoup.event_id': request.eventId,
          'recoup.event_type': request.type,
          'recoup.outcome': result.kind,
          ...(result.status !== undefined && { 'http.response.status_code': result.status }),
        });
        if (result.kind === 'failed') span.fail(result.cause);
        return result;
      }),
  };
}
