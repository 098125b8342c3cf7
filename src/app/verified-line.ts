import type { ReceivedEvent } from '../merchant/demo-inbox.ts';

/** What `npm start` prints when the demo merchant has verified a webhook. */
export function verifiedLine(received: ReceivedEvent): string {
  const { invoice_id, success, recovered, amount_collected, currency } = received.event;
  if (received.type === 'test') return '[demo merchant] webhook verified: a test\n';
  const what =
    received.type === 'end_of_dunning'
      ? `recovery ended, ${recovered === true ? 'recovered' : 'not recovered'}`
      : `${success === true ? 'recovered' : 'declined'} ${String(amount_collected)} ${String(currency)}`;
  return `[demo merchant] webhook verified: ${received.type} of ${String(invoice_id)}: ${what}\n`;
}
