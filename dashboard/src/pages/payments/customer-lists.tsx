import type {
  CustomerAttemptJson,
  CustomerDisputeJson,
  CustomerMethodJson,
} from '../../api/generated/customers.ts';
import type { PaymentSummaryJson } from '../../api/generated/payments.ts';
import { Amount } from '../../parts/amount.tsx';
import { Clipped } from '../../parts/clipped.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DisputePill } from '../../parts/dispute-pill.tsx';
import { networkName } from '../../parts/network-name.ts';
import { NextTry } from '../../parts/next-try.tsx';
import { paymentState } from '../../parts/payment-state.ts';
import { RowLink } from '../../parts/row-link.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { paymentPath } from '../../state/payment-path.ts';
import { useViewState } from '../../state/view-state.ts';

export function CustomerPayments({
  payments,
}: {
  readonly payments: readonly PaymentSummaryJson[];
}) {
  const view = useViewState();
  return (
    <DataTable
      name="Failed invoices"
      rows={payments}
      rowKey={(row) => row.invoice_id}
      columns={[
        {
          name: 'Amount',
          align: 'right',
          sort: (row) => row.amount,
          cell: (row) => <Amount value={row.amount} currency={row.currency} />,
        },
        {
          name: 'Invoice',
          sort: (row) => row.invoice_id,
          cell: (row) => <RowLink href={view.href(paymentPath(row))}>{row.invoice_id}</RowLink>,
        },
        {
          name: 'State',
          sort: paymentState,
          cell: (row) => <StatePill state={paymentState(row)} />,
        },
        { name: 'Next attempt', cell: (row) => <NextTry {...row} /> },
        {
          name: 'Attempts',
          align: 'right',
          sort: (row) => row.attempt_count,
          cell: (row) => row.attempt_count,
        },
        {
          name: 'Failed',
          sort: (row) => row.failed_at,
          cell: (row) => <Time at={row.failed_at} />,
        },
      ]}
    />
  );
}

export function CustomerMethods({ methods }: { readonly methods: readonly CustomerMethodJson[] }) {
  if (methods.length === 0) return <p className="muted">None was reported.</p>;
  return (
    <DataTable
      name="Payment methods"
      rows={methods}
      rowKey={(row) => row.payment_method_id}
      columns={[
        { name: 'Method', cell: (row) => <Clipped text={row.payment_method_id} /> },
        {
          name: 'Card',
          cell: ({ scheme, funding_source: funding, bin, issuer_country: country }) =>
            [scheme && networkName(scheme), funding, bin && `${bin}…`, country]
              .filter((part) => part !== undefined && part !== '')
              .join(' '),
        },
        {
          name: 'State',
          cell: (row) => <StatePill state={row.removed ? 'removed' : 'active'} />,
        },
        { name: 'Since', cell: (row) => <Time at={row.since} /> },
        {
          name: 'Last change',
          cell: ({ last_change: change }) =>
            change === undefined ? (
              <span className="muted">none</span>
            ) : (
              <>
                {change.reason.replaceAll('_', ' ')} <Time at={change.at} />
              </>
            ),
        },
      ]}
    />
  );
}

export function CustomerDisputes({
  disputes,
}: {
  readonly disputes: readonly CustomerDisputeJson[];
}) {
  const view = useViewState();
  if (disputes.length === 0) return <p className="muted">No charge of theirs is disputed.</p>;
  return (
    <DataTable
      name="Disputes"
      rows={disputes}
      rowKey={(row) => row.id}
      columns={[
        {
          name: 'Amount',
          align: 'right',
          cell: ({ amount, currency }) =>
            amount !== undefined &&
            currency !== undefined && <Amount value={amount} currency={currency} />,
        },
        {
          name: 'Dispute',
          cell: (row) => (
            <RowLink href={view.href(`/disputes/${encodeURIComponent(row.id)}`)}>
              {row.psp_dispute_id}
            </RowLink>
          ),
        },
        { name: 'State', cell: (row) => <DisputePill dispute={row} /> },
        { name: 'Invoice', cell: (row) => row.invoice_id },
        {
          name: 'Respond by',
          cell: (row) => row.respond_by !== undefined && <Time at={row.respond_by} />,
        },
      ]}
    />
  );
}

export function CustomerAttempts({
  attempts,
  merchantId,
}: {
  readonly attempts: readonly CustomerAttemptJson[];
  readonly merchantId: string;
}) {
  const view = useViewState();
  if (attempts.length === 0) return <p className="muted">None was made yet.</p>;
  return (
    <DataTable
      name="Attempts"
      rows={attempts}
      rowKey={(row) => `${row.invoice_id} ${row.number}`}
      columns={[
        { name: 'When', sort: (row) => row.at, cell: (row) => <Time at={row.at} /> },
        {
          name: 'Amount',
          align: 'right',
          sort: (row) => row.amount,
          cell: (row) => <Amount value={row.amount} currency={row.currency} />,
        },
        {
          name: 'Invoice',
          sort: (row) => row.invoice_id,
          cell: (row) => (
            <RowLink
              href={view.href(paymentPath({ merchant_id: merchantId, invoice_id: row.invoice_id }))}
            >
              {row.invoice_id}
            </RowLink>
          ),
        },
        { name: 'Attempt', align: 'right', sort: (row) => row.number, cell: (row) => row.number },
        { name: 'State', sort: (row) => row.state, cell: (row) => <StatePill state={row.state} /> },
        { name: 'Code', cell: (row) => row.code },
        {
          name: 'Method',
          cell: ({ payment_method_id: id }) => id !== undefined && <Clipped text={id} />,
        },
      ]}
    />
  );
}
