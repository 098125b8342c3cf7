import { printable } from '../domain/truncated-text.ts';
import type { ReceivedEvent } from '../merchant/demo-inbox.ts';

/** What `npm start` prints when the demo merchant has verified a webhook. */
export function verifiedLine(received: ReceivedEvent): string {
  const { invoice_id, subscription_id, success, recovered, amount_collected, currency } =
    received.event;
  if (received.type === 'test') return '[demo merchant] webhook verified: a test\n';
  const line = `[demo merchant] webhook verified: ${received.type} of ${printable(String(invoice_id ?? subscription_id))}`;
  switch (received.type) {
    case 'end_of_dunning':
      return `${line}: recovery ended, ${recovered === true ? 'recovered' : 'not recovered'}\n`;
    case 'retry_result':
      return `${line}: ${success === true ? 'recovered' : 'declined'} ${String(amount_collected)} ${String(currency)}\n`;
    default:
      return `${line}\n`;
  }
}
