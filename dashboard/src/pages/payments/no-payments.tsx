import { Link } from 'wouter';
import { Copyable } from '../../parts/copyable.tsx';
import { Empty } from '../../parts/empty.tsx';
import { usePagePaths } from '../../state/page-paths.ts';
import { rangeLabel } from '../../state/range.ts';
import { useViewState, type ViewState } from '../../state/view-state.ts';

const report = `curl http://127.0.0.1:8080/recover/payments -H 'x-api-key: rk_…' \\
  -H 'Content-Type: application/json' -d @failed-payment.json`;

/** An empty list: what to look for instead, or how the first payment gets here. */
export function NoPayments({ search }: { readonly search: string | undefined }) {
  const view = useViewState();
  const paths = usePagePaths();
  if (search !== undefined) {
    return (
      <Empty title="No payment is found">
        <p>
          Enter an id of an invoice, customer, subscription, transaction, charge, attempt, event or
          dispute, or at least three characters of its beginning; an amount such as 42.00 or 42 EUR;
          the last four digits of a disputed card; or an e-mail address that a checkout or a dispute
          named.
        </p>
      </Empty>
    );
  }
  const isNarrowed = view.range !== 'all' || view.param('status') !== undefined;
  if (isNarrowed) {
    return (
      <Empty title="No payments here">
        <p>{noneOf(view)}</p>
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
      {paths.has('/start') && (
        <p>
          <Link className="button primary" href={view.href('/start')}>
            Make a first recovery
          </Link>
        </p>
      )}
      <p>Report a failed payment with the merchant’s API key, and it appears here at once:</p>
      <Copyable text={report} />
    </Empty>
  );
}

/** What the address asks for, of which there is none. */
function noneOf(view: Pick<ViewState, 'range' | 'param'>): string {
  const hasState = view.param('status') !== undefined;
  if (view.range === 'all') return 'No payment is in this state.';
  return hasState
    ? `No payment in this state whose recovery began in this time: ${rangeLabel(view.range)}.`
    : `No recovery began in this time: ${rangeLabel(view.range)}.`;
}
