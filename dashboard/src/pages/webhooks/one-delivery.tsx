import { useState } from 'react';
import { Link } from 'wouter';
import type { DeliveryDetailJson, DeliveryTryJson } from '../../api/generated/deliveries.ts';
import { useDelivery, useRedeliver } from '../../api/webhooks.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import type { Params } from '../../state/page.ts';
import { paymentPath } from '../../state/payment-path.ts';
import { usePortal } from '../../state/portal.ts';
import { useViewState } from '../../state/view-state.ts';
import { deliveryState } from './delivery-state.ts';

/** One event: its body and headers as they are sent, and every send. */
export function OneDelivery({ params }: Params) {
  const { merchantId = '', eventId = '' } = params;
  const endpointId = useViewState().param('endpoint');
  const query = useDelivery({ merchantId, eventId, endpointId });
  return (
    <QueryView query={query} what="the event" rows={8}>
      {(detail) => <Shown merchantId={merchantId} detail={detail} />}
    </QueryView>
  );
}

const tries: readonly Column<DeliveryTryJson>[] = [
  { name: 'Send', align: 'right', cell: (row) => row.number },
  { name: 'When', cell: (row) => <Time at={row.sent_at} form="short" /> },
  {
    name: 'Answer',
    cell: (row) => (row.status === undefined ? (row.error ?? 'none') : `status ${row.status}`),
  },
  { name: 'Took', align: 'right', cell: (row) => `${row.duration_ms} ms` },
  { name: 'Why it failed', cell: (row) => row.error ?? '' },
  {
    name: 'What it answered',
    cell: (row) => row.answer !== undefined && <code className="breaks">{row.answer}</code>,
  },
];

function Shown({
  merchantId,
  detail,
}: {
  readonly merchantId: string;
  readonly detail: DeliveryDetailJson;
}) {
  const view = useViewState();
  const isOperator = usePortal() === undefined;
  const { delivery, body, headers } = detail;
  return (
    <>
      <div className="page-head">
        <h1>{delivery.type}</h1>
        <StatePill state={deliveryState(delivery.status)} />
        {isOperator && (
          <Redeliver
            merchantId={merchantId}
            eventId={delivery.event_id}
            endpointId={delivery.endpoint_id}
          />
        )}
      </div>
      <Panel title="The event">
        <Facts
          items={[
            ['Event', delivery.event_id],
            ['Endpoint', delivery.endpoint_id],
            [
              'Invoice',
              delivery.invoice_id === undefined ? undefined : (
                <Link
                  key="invoice"
                  href={view.href(
                    paymentPath({ merchant_id: merchantId, invoice_id: delivery.invoice_id }),
                  )}
                >
                  {delivery.invoice_id}
                </Link>
              ),
            ],
            ['Recorded', <Time key="at" at={delivery.created_at} form="both" focusable />],
            [
              'Next send',
              delivery.next_attempt_at === undefined ? undefined : (
                <Time key="next" at={delivery.next_attempt_at} form="both" focusable />
              ),
            ],
          ]}
        />
      </Panel>
      <Panel title="Sends">
        {delivery.log.length === 0 ? (
          <p className="muted">It was not sent yet.</p>
        ) : (
          <DataTable
            name="Sends"
            columns={tries}
            rows={delivery.log}
            rowKey={(row) => row.number.toString()}
          />
        )}
      </Panel>
      <Panel title="Headers" aside={<span className="muted small">secrets are masked</span>}>
        <Facts items={headers.map(({ name, value }) => [name, <code key={name}>{value}</code>])} />
      </Panel>
      <Panel
        title="Body"
        aside={<span className="muted small">indented here; it is sent as one line</span>}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys */}
        <pre className="body" tabIndex={0}>
          {JSON.stringify(JSON.parse(body), null, 2)}
        </pre>
      </Panel>
    </>
  );
}

function Redeliver(key: {
  readonly merchantId: string;
  readonly eventId: string;
  readonly endpointId: string | undefined;
}) {
  const [isAsked, setAsked] = useState(false);
  const toast = useToast();
  const redeliver = useRedeliver(key);
  const close = (): void => {
    redeliver.reset();
    setAsked(false);
  };
  return (
    <div className="actions">
      <button type="button" className="button" onClick={() => setAsked(true)}>
        Redeliver
      </button>
      <ConfirmDialog
        open={isAsked}
        title="Redeliver this event?"
        effect="Sends 1 event again, with the same body and the same ids. The merchant may have seen it. If it is not accepted, it is sent again every 12 hours for 7 days."
        action="Redeliver"
        isBusy={redeliver.isPending}
        error={redeliver.error}
        onClose={close}
        onConfirm={() =>
          redeliver.mutate(undefined, {
            onSuccess: () => {
              toast('The event is sent again.');
              close();
            },
          })
        }
      />
    </div>
  );
}
