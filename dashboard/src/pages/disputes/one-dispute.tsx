import { Link } from 'wouter';
import { useDispute } from '../../api/disputes.ts';
import type { DisputeJson } from '../../api/generated/disputes.ts';
import { useMerchantName } from '../../api/merchants.ts';
import { Amount } from '../../parts/amount.tsx';
import { DisputePill } from '../../parts/dispute-pill.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Moved } from '../../parts/moved.tsx';
import { networkName } from '../../parts/network-name.ts';
import { Panel } from '../../parts/panel.tsx';
import { pspTitle } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import type { Params } from '../../state/page.ts';
import { usePortal } from '../../state/portal.ts';
import { useViewState } from '../../state/view-state.ts';
import { Accept } from './accept.tsx';
import { Added } from './added.tsx';
import { Answer } from './answer.tsx';
import { AssigneeChoice } from './assignee.tsx';
import { Deadline } from './deadline.tsx';
import { reasonText } from './dispute-list.tsx';
import { Evidence } from './evidence.tsx';
import { Matches } from './matches.tsx';
import { Notes } from './notes.tsx';
import { Verdict } from './verdict.tsx';

/** One dispute: until when, whether it can be won, with what, and the answer. */
export function OneDispute({ params }: Params) {
  const { id = '' } = params;
  return (
    <QueryView query={useDispute(id)} what="the dispute" rows={10}>
      {(dispute) => <Shown dispute={dispute} />}
    </QueryView>
  );
}

function Shown({ dispute }: { readonly dispute: DisputeJson }) {
  const isOperator = usePortal() === undefined;
  const { amount, currency, verdict, unsigned_fields: unsigned } = dispute;
  return (
    <>
      <div className="page-head">
        <h1>
          {amount !== undefined && currency !== undefined && (
            <Amount value={amount} currency={currency} />
          )}{' '}
          {dispute.psp_dispute_id}
        </h1>
        <DisputePill dispute={dispute} />
        <div className="actions dispute-answer">
          <Answer dispute={dispute} />
          <Accept dispute={dispute} />
        </div>
      </div>
      <Moved merchantId={dispute.merchant_id} />
      {unsigned.length > 0 && (
        <p className="state" role="note">
          Not covered by the processor’s signature: {unsigned.join(', ')}. Check with the processor
          before you act on it.
        </p>
      )}
      <Facts
        items={[
          ['Respond by', <Deadline key="due" dispute={dispute} />],
          ['Deadline set by', deadlineSource(dispute)],
          ['Reason', reasonText(dispute)],
          ['Network', dispute.network && networkName(dispute.network)],
          ['Stage', dispute.stage?.replaceAll('_', ' ')],
          ['Processor', pspTitle(dispute.psp)],
          ['Assigned to', isOperator ? <AssigneeChoice key="to" dispute={dispute} /> : undefined],
        ]}
      />
      {verdict === undefined ? (
        <p className="state" role="note">
          The amount in dispute is not known, so there is no verdict and no evidence. Report it with
          POST /v1/disputes.
        </p>
      ) : (
        <>
          <Verdict verdict={verdict} />
          {isOperator && <Evidence dispute={dispute} />}
          {isOperator && <Added dispute={dispute} />}
        </>
      )}
      <Matches dispute={dispute} />
      {dispute.notes !== undefined && <Notes disputeId={dispute.id} notes={dispute.notes} />}
      <History dispute={dispute} />
      <Ids dispute={dispute} />
    </>
  );
}

function deadlineSource(dispute: DisputeJson): string | undefined {
  const { respond_by_source: source, is_psp_deadline: isOwn } = dispute;
  if (source === undefined) return undefined;
  return isOwn === true ? source : `${source}; estimated, not the processor’s own date`;
}

function History({ dispute }: { readonly dispute: DisputeJson }) {
  return (
    <Panel title="History">
      <ol className="changes">
        {dispute.history.map(({ state, stage, occurred_at: at }) => (
          <li key={`${at} ${state}`}>
            <Time at={at} form="short" focusable />
            <StatePill state={state} />
            {stage !== undefined && <span className="muted">{stage.replaceAll('_', ' ')}</span>}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Ids({ dispute }: { readonly dispute: DisputeJson }) {
  const view = useViewState();
  const { merchant_id: merchantId, invoice_id: invoiceId } = dispute;
  const merchant = useMerchantName(merchantId);
  const payment = invoiceId !== undefined && (
    <Link
      href={view.href(
        `/payments/${encodeURIComponent(merchantId)}/${encodeURIComponent(invoiceId)}`,
      )}
    >
      {invoiceId}
    </Link>
  );
  return (
    <Panel title="Details">
      <Facts
        items={[
          ['Merchant', merchant],
          ['Invoice', payment === false ? undefined : payment],
          ['Subscription', dispute.subscription_id],
          ['Customer', dispute.customer_id ?? dispute.psp_customer_id],
          ['Charge', dispute.payment_ids.join(', ')],
          ['Our id', dispute.id],
          ['Retries on its card', retriesText(dispute)],
        ]}
      />
    </Panel>
  );
}

/** Whether other failed payments of the same card are tried. */
function retriesText({ blocks_retries: isBlocked, kind }: DisputeJson): string {
  if (!isBlocked) return 'allowed';
  return kind === 'fraud_warning'
    ? 'stopped by the fraud warning'
    : 'stopped while the dispute is open';
}
