import { Link } from 'wouter';
import type { TimelineJson } from '../../api/generated/payments.ts';
import { useMerchantName } from '../../api/merchants.ts';
import { useTimeline } from '../../api/payments.ts';
import { Amount } from '../../parts/amount.tsx';
import { count } from '../../parts/count.ts';
import { Facts } from '../../parts/facts.tsx';
import { LiveBar } from '../../parts/live-bar.tsx';
import { Moved } from '../../parts/moved.tsx';
import { Panel } from '../../parts/panel.tsx';
import { paymentState } from '../../parts/payment-state.ts';
import { pspTitle } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { customerPath } from '../../state/customer-path.ts';
import type { Params } from '../../state/page.ts';
import { usePortal } from '../../state/portal.ts';
import { useViewState } from '../../state/view-state.ts';
import { Held } from './held.tsx';
import { methodText } from './method-text.ts';
import { isOpen, NextAttempt } from './next-attempt.tsx';
import { PaymentActions } from './payment-actions.tsx';
import { Story } from './story.tsx';
import { Tries } from './tries.tsx';

/** One payment as one story: what is next and why, and everything that happened. */
export function OnePayment({ params }: Params) {
  const { merchantId = '', invoiceId = '' } = params;
  const query = useTimeline({ merchantId, invoiceId });
  return (
    <QueryView query={query} what="the payment" rows={10}>
      {(timeline) => <Shown timeline={timeline} readAgain={() => void query.refetch()} />}
    </QueryView>
  );
}

function Shown({
  timeline,
  readAgain,
}: {
  readonly timeline: TimelineJson;
  readonly readAgain: () => void;
}) {
  const { payment, methods, entries, planned, curve } = timeline;
  const foreign = payment.foreign_attempts;
  const isOperator = usePortal() === undefined;
  return (
    <>
      <div className="page-head">
        <h1>
          <Amount value={payment.amount} currency={payment.currency} /> {payment.invoice_id}
        </h1>
        <StatePill state={paymentState(payment)} />
        <LiveBar
          isOwn={(change) =>
            change.invoice_id === payment.invoice_id && change.merchant_id === payment.merchant_id
          }
          onShow={readAgain}
        />
        {isOperator && <PaymentActions payment={payment} />}
      </div>
      <Moved merchantId={payment.merchant_id} />
      {isOperator && <Held payment={payment} />}
      {foreign !== undefined && (
        <p className="state" role="note">
          Someone else charged this invoice {count(foreign.count, 'time', 'times')} since its
          recovery began: are the retries of the PSP still switched on?
        </p>
      )}
      {isOpen(payment) ? (
        <div className="balanced">
          <Tries payment={payment} planned={planned} />
          <NextAttempt payment={payment} methods={methods} curve={curve} />
          <Details payment={payment} methods={methods} />
        </div>
      ) : (
        <Tries payment={payment} planned={planned} />
      )}
      <Panel title="Timeline">
        <Story entries={entries} />
      </Panel>
      {!isOpen(payment) && <Details payment={payment} methods={methods} />}
    </>
  );
}

function Details({ payment, methods }: Pick<TimelineJson, 'payment' | 'methods'>) {
  const merchant = useMerchantName(payment.merchant_id);
  const view = useViewState();
  return (
    <Panel title="Details">
      <Facts
        items={[
          ['Merchant', merchant],
          ['Also reported as', payment.joined_invoice_ids?.join(', ')],
          ['Reported to the merchant as', payment.merchant_invoice_id],
          ['Invoice at the processor', payment.psp_invoice_id],
          [
            'Customer',
            <Link key="customer" href={view.href(customerPath(payment))}>
              {payment.customer_id}
            </Link>,
          ],
          ['Subscription', payment.subscription_id],
          ['Transaction', payment.transaction_id],
          ['First charge', payment.original_psp_transaction_id],
          ['Processor', pspTitle(payment.psp)],
          ['Methods', methods.map(methodText).join('; ')],
          ['Window ends', <Time key="end" at={payment.window_ends_at} form="both" focusable />],
        ]}
      />
    </Panel>
  );
}
