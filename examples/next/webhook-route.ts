// As app/webhooks/retry-results/route.ts
import { webhookHandler } from '@recoup/sdk';
import { nextRoute } from '@recoup/sdk/next';
import { markPaid } from '../billing.ts';

export const POST = nextRoute(
  webhookHandler({
    secrets: () => process.env.RECOUP_SIGNING_SECRET ?? '',
    onEvent: (event) => {
      if (event.type !== 'retry_result' || event.data.success !== true) return;
      markPaid(event.data.invoice_id ?? '');
    },
  }),
);
