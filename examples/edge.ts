// For Workers, Deno (`deno serve --allow-env examples/edge.ts`), Bun (`bun run examples/edge.ts`).
import {
  doNotRetry,
  invoiceNotFound,
  retry,
  retryStatusHandler,
  webhookHandler,
} from '@recoup/sdk';
import { findInvoice, markPaid } from './billing.ts';

/** Workers hand their settings to each call; Deno and Bun have them in the environment. */
export interface Settings {
  readonly MERCHANT_API_KEY?: string;
  readonly RECOUP_SIGNING_SECRET?: string;
}

function handlersOf(settings: Settings) {
  const environment = globalThis.process?.env ?? {};
  const settingOf = (name: keyof Settings): string => settings[name] ?? environment[name] ?? '';
  const webhook = webhookHandler({
    secrets: settingOf('RECOUP_SIGNING_SECRET'),
    onEvent: (event) => {
      if (event.type !== 'retry_result' || event.data.success !== true) return;
      markPaid(event.data.invoice_id ?? '');
    },
  });
  const retryStatus = retryStatusHandler({
    auth: { type: 'api_key', apiKey: settingOf('MERCHANT_API_KEY') },
    decide: ({ invoiceId }) => {
      const invoice = findInvoice(invoiceId);
      if (invoice === undefined) return invoiceNotFound();
      return invoice.open ? retry() : doNotRetry('Other: paid already');
    },
  });
  return { webhook, retryStatus };
}

let handlers: ReturnType<typeof handlersOf> | undefined;

export default {
  async fetch(request: Request, settings: Settings = {}): Promise<Response> {
    handlers ??= handlersOf(settings);
    const { pathname } = new URL(request.url);
    if (pathname === '/webhooks/retry-results') return handlers.webhook(request);
    if (pathname.startsWith('/retry/')) return handlers.retryStatus(request);
    return new Response(null, { status: 404 });
  },
};
