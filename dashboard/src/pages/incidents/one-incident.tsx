import { Link } from 'wouter';
import type { IncidentJson } from '../../api/generated/incidents.ts';
import { useIncident } from '../../api/incidents.ts';
import { useMerchants } from '../../api/merchants.ts';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/panel.tsx';
import { pspTitle } from '../../parts/psp-name.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import type { Params } from '../../state/page.ts';
import { paymentPath } from '../../state/payment-path.ts';
import { useViewState } from '../../state/view-state.ts';
import { consequenceOf, meaningOf, refundable } from './incident-messages.ts';
import { Records } from './records.tsx';
import { ResolveIncident } from './resolve-incident.tsx';

/** One incident: what it means, both records side by side, and what a person decides. */
export function OneIncident({ params }: Params) {
  const { id = '' } = params;
  return (
    <QueryView query={useIncident(id)} what="the incident" rows={8}>
      {(incident) => <Shown incident={incident} />}
    </QueryView>
  );
}

function Shown({ incident }: { readonly incident: IncidentJson }) {
  const { state, kind, invoice_id: invoiceId } = incident;
  const money = refundable(incident);
  const isOver = state === 'refunded' || state === 'dismissed';
  return (
    <>
      <div className="page-head">
        <h1>
          Incident: {kind.replaceAll('_', ' ')}
          {invoiceId === undefined ? '' : ` of ${invoiceId}`}
        </h1>
        <StatePill state={state} />
        <ResolveIncident incident={incident} />
      </div>
      <div className="state" role="note">
        <p>
          <strong>{meaningOf(incident)}</strong> {consequenceOf(incident)}
        </p>
        <p className="breaks">{sentence(incident.detail)}</p>
        {!isOver && 'missing' in money && <p>{money.missing}</p>}
      </div>
      <Panel title="Both records">
        <Records incident={incident} />
      </Panel>
      {(isOver || incident.resolution !== undefined) && <Decision incident={incident} />}
      <Ids incident={incident} />
    </>
  );
}

/** Details are kept as words of a log line. */
function sentence(detail: string): string {
  const text = `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function Decision({ incident }: { readonly incident: IncidentJson }) {
  const { state, resolution, refund_id: refundId, resolved_at: at } = incident;
  return (
    <Panel title={state === 'open' ? 'What was tried' : 'What was decided'}>
      <Facts
        items={[
          ['State', <StatePill key="state" state={state} />],
          ['When', at && <Time key="at" at={at} form="both" focusable />],
          ['Why', resolution],
          ['Refund', refundId],
        ]}
      />
    </Panel>
  );
}

function Ids({ incident }: { readonly incident: IncidentJson }) {
  const view = useViewState();
  const merchants = useMerchants().data ?? [];
  const { merchant_id: merchantId, invoice_id: invoiceId, opened_at: openedAt } = incident;
  const name = merchants.find((merchant) => merchant.id === merchantId)?.name;
  return (
    <Panel title="Details">
      <Facts
        items={[
          ['Merchant', name === undefined ? merchantId : `${name} (${merchantId})`],
          [
            'Invoice',
            invoiceId && (
              <Link
                key="invoice"
                href={view.href(paymentPath({ merchant_id: merchantId, invoice_id: invoiceId }))}
              >
                {invoiceId}
              </Link>
            ),
          ],
          ['Processor', pspTitle(incident.psp)],
          ['Charge', incident.charge],
          ['Our id', incident.id],
          ['Found', <Time key="found" at={openedAt} form="both" focusable />],
        ]}
      />
    </Panel>
  );
}
