import type { ReactNode } from 'react';
import { useCustomer } from '../../api/customers.ts';
import type { CustomerJson, CustomerTotalJson } from '../../api/generated/customers.ts';
import { useMerchantName } from '../../api/merchants.ts';
import { apiPath } from '../../api/request.ts';
import { count } from '../../parts/count.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { formatAmount } from '../../parts/format-amount.ts';
import { Moved } from '../../parts/moved.tsx';
import { Panel } from '../../parts/panel.tsx';
import { percent } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import type { Params } from '../../state/page.ts';
import {
  CustomerAttempts,
  CustomerDisputes,
  CustomerMethods,
  CustomerPayments,
} from './customer-lists.tsx';

/** One customer's account at a merchant: every invoice that failed, its methods, attempts and disputes. */
export function OneCustomer({ params }: Params) {
  const { merchantId = '', customerId = '' } = params;
  return (
    <QueryView query={useCustomer(merchantId, customerId)} what="the customer" rows={10}>
      {(customer) => <Shown customer={customer} />}
    </QueryView>
  );
}

function Shown({ customer }: { readonly customer: CustomerJson }) {
  const { merchant_id: merchantId, payments, methods, attempts, disputes } = customer;
  const merchant = useMerchantName(merchantId);
  const exportOf = (list: string, of: string) => (
    <ExportButton
      list={apiPath('merchants', merchantId, 'customers', customer.customer_id, list)}
      filters={{}}
      of={of}
      most={maxRows}
    />
  );
  return (
    <>
      <div className="page-head">
        <h1>{customer.customer_id}</h1>
        <span className="muted breaks">
          Customer of <bdi>{merchant}</bdi>
        </span>
      </div>
      <Moved merchantId={merchantId} />
      {customer.totals.map((total) => (
        <Totals
          key={total.currency}
          total={total}
          attempts={attempts.filter(({ currency }) => currency === total.currency).length}
        />
      ))}
      <Panel
        title="Failed invoices"
        aside={<Shows rows={payments.length}>{exportOf('payments', 'failed invoices')}</Shows>}
      >
        <CustomerPayments payments={payments} />
      </Panel>
      <Panel title="Payment methods" aside={exportOf('methods', 'payment methods')}>
        <CustomerMethods methods={methods} />
      </Panel>
      <Panel title="Disputes" aside={exportOf('disputes', 'disputes')}>
        <CustomerDisputes disputes={disputes} />
      </Panel>
      <Panel
        title="Attempts"
        aside={<Shows rows={attempts.length}>{exportOf('attempts', 'attempts')}</Shows>}
      >
        <CustomerAttempts attempts={attempts} merchantId={merchantId} />
      </Panel>
    </>
  );
}

/** Of longer lists the API shows the newest rows alone. */
const maxRows = 200;

function Shows({ rows, children }: { readonly rows: number; readonly children: ReactNode }) {
  const words = rows < maxRows ? `n = ${rows}` : `the newest ${maxRows}`;
  return (
    <div className="filters">
      <span className="muted small">{words}</span>
      {children}
    </div>
  );
}

function Totals({
  total,
  attempts,
}: {
  readonly total: CustomerTotalJson;
  readonly attempts: number;
}) {
  const money = (amount: number): string => formatAmount(amount, total.currency);
  const { failed_amount: failed, recovered_amount: recovered } = total;
  return (
    <Figures>
      <Figure
        name="Recovered"
        value={money(recovered)}
        beside={`${percent(recovered, failed)} of ${money(failed)}`}
      />
      <Figure name="At risk now" value={money(total.open_amount)} beside={total.currency} />
      <Figure
        name="Failed invoices"
        value={total.payments}
        beside={count(attempts, 'attempt', 'attempts')}
      />
    </Figures>
  );
}
