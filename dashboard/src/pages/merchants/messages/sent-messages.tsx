import type { CustomerMessageJson } from '../../../api/generated/messages.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { RowLink } from '../../../parts/row-link.tsx';
import { StatePill } from '../../../parts/state-pill.tsx';
import { Time } from '../../../parts/time.tsx';
import { paymentPath } from '../../../state/payment-path.ts';
import { useViewState } from '../../../state/view-state.ts';
import { reasonWords } from './reason-words.ts';

const words: Readonly<Record<string, string>> = reasonWords;

/** The last messages. To whom they went stands nowhere. */
export function SentMessages({
  merchantId,
  messages,
}: {
  readonly merchantId: string;
  readonly messages: readonly CustomerMessageJson[];
}) {
  const view = useViewState();
  if (messages.length === 0) return <p className="muted">No message was sent yet.</p>;
  return (
    <DataTable
      name="The last messages, the newest first"
      rows={messages}
      rowKey={({ id }) => id}
      columns={[
        { name: 'When', cell: (message) => <Time at={message.created_at} /> },
        {
          name: 'About',
          cell: ({ invoice_id: invoiceId, payment_method_id: methodId }) =>
            invoiceId === undefined ? (
              `card ${methodId}`
            ) : (
              <RowLink
                href={view.href(paymentPath({ merchant_id: merchantId, invoice_id: invoiceId }))}
              >
                {invoiceId}
              </RowLink>
            ),
        },
        { name: 'No.', align: 'right', cell: ({ number }) => number },
        {
          name: 'Reason',
          cell: ({ reason, language }) => `${words[reason] ?? reason} (${language})`,
        },
        { name: 'State', cell: ({ state }) => <StatePill state={state} /> },
      ]}
    />
  );
}
