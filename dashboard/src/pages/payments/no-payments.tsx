import { Copyable } from '../../parts/copyable.tsx';
import { Empty } from '../../parts/empty.tsx';
import { rangeLabels, useViewState } from '../../state/view-state.ts';

const report = `curl http://127.0.0.1:8080/recover/payments -H 'x-api-key: rk_…' \\
  -H 'Content-Type: application/json' -d @failed-payment.json`;

/** An empty list: what to look for instead, or how the first payment gets here. */
export function NoPayments({ search }: { readonly search: string | undefined }) {
  const view = useViewState();
  if (search !== undefined) {
    return (
      <Empty title="No payment has this id">
        <p>
          Enter the complete id of an invoice, a customer, a subscription, a transaction, a charge
          at the PSP, an attempt, a payment method, an event or a dispute.
        </p>
      </Empty>
    );
  }
  const isNarrowed = view.range !== 'all' || view.param('status') !== undefined;
  if (isNarrowed) {
    return (
      <Empty title="No payments here">
        <p>No payment in this state: {rangeLabels[view.range].toLowerCase()}.</p>
        <button
          type="button"
          className="button"
          onClick={() => view.change({ range: 'all', status: undefined, cursor: undefined })}
        >
          Show all payments of all time
        </button>
      </Empty>
    );
  }
  return (
    <Empty title="No payment was reported yet">
      <p>Report a failed payment with the merchant’s API key, and it appears here at once:</p>
      <Copyable text={report} />
      <p>In the sandbox, the start of Recoup prints such a line with everything filled in.</p>
    </Empty>
  );
}
