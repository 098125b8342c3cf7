import edge, { type Settings } from '../../../examples/edge.ts';
import {
  type ClientOptions,
  createDisputesClient,
  createRecoveryClient,
  type disputes,
  RecoupApiError,
  RecoupConnectionError,
} from '../../../sdk/src/index.ts';

/**
 * What each runtime serves: the example for the edge; and, asked for it, what the clients do there.
 */
export const worker = {
  async fetch(request: Request, settings?: Settings): Promise<Response> {
    const service = new URL(request.url).searchParams.get('service');
    return service === null
      ? edge.fetch(request, settings)
      : Response.json(await callsTo(service, { random: () => 0, retries: 2 }));
  },
};

/** Every call against the stand-in of runtimes.test.ts, with what the caller has of it. */
async function callsTo(baseUrl: string, options: ClientOptions) {
  const recoup = createRecoveryClient({ baseUrl, apiKey: 'rk_1', ...options });
  const once = createRecoveryClient({ baseUrl, apiKey: 'rk_1', ...options, retries: 0 });
  const password = { username: 'jörg', password: 'pä:ss' };
  const pages: string[] = [];
  for await (const payment of recoup.iteratePayments()) pages.push(payment.invoice_id);
  const rows: string[] = [];
  const analyticsRecords: readonly unknown[] = [{}, {}, {}, {}];
  const batch = createDisputesClient({ baseUrl, ...password, ...options }).createAnalyticsBatch(
    analyticsRecords as readonly disputes.AnalyticsRecord[],
  );
  for await (const result of batch) rows.push(`${result.row} ${'id' in result && result.id}`);
  const caller = new AbortController();
  const aborted = outcomeOf(once.showPayment('silent', { signal: caller.signal }));
  caller.abort(new Error('enough'));
  return {
    after503: await outcomeOf(recoup.retryPayment('busy')),
    pages,
    rows,
    missing: await outcomeOf(recoup.showPayment('missing')),
    moved: await outcomeOf(recoup.showPayment('moved')),
    silent: await outcomeOf(recoup.showPayment('silent', { timeoutMs: 20 })),
    stalled: await outcomeOf(once.showPayment('stalled', { timeoutMs: 200 })),
    cut: await outcomeOf(once.showPayment('cut')),
    aborted: await aborted,
  };
}

/** What an answer is, or in which class and with which code the call failed. */
function outcomeOf(calling: Promise<unknown>): Promise<unknown> {
  return calling.catch((error: unknown) => {
    if (error instanceof RecoupApiError) return `api ${error.status} ${error.code}`;
    if (error instanceof RecoupConnectionError) return `connection ${error.code}`;
    return error instanceof Error ? error.message : String(error);
  });
}
