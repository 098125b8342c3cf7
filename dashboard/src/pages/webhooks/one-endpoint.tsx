import { useState } from 'react';
import type { EndpointHealthJson } from '../../api/generated/deliveries.ts';
import { Facts } from '../../parts/facts.tsx';
import { Panel } from '../../parts/panel.tsx';
import { PauseButton } from '../../parts/pause-button.tsx';
import { formatShare } from '../../parts/percent.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { usePortal } from '../../state/portal.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { ReplayProgress } from './replay-progress.tsx';

/** How one merchant's endpoint does, and the way to send again what it did not take. */
export function OneEndpoint({ endpoint }: { readonly endpoint: EndpointHealthJson }) {
  const [isAsked, setAsked] = useState(false);
  const isOperator = usePortal() === undefined;
  const { duration_ms: ms } = endpoint;
  const time = (at: string | undefined) =>
    at === undefined ? undefined : <Time at={at} form="both" focusable />;
  return (
    <Panel
      title={endpoint.merchant_name}
      aside={
        isOperator && (
          <div className="filters">
            <PauseButton
              merchantId={endpoint.merchant_id}
              endpointId={endpoint.endpoint_id}
              url={endpoint.webhook_url}
              isPaused={endpoint.paused_at !== undefined}
            />
            <button type="button" className="button" onClick={() => setAsked(true)}>
              Redeliver in bulk…
            </button>
          </div>
        )
      }
    >
      <Facts
        items={[
          ['State', <StatePill key="state" state={endpoint.state} />],
          ['Address', endpoint.webhook_url],
          ['Paused since', time(endpoint.paused_at)],
          ['Pending', endpoint.waiting],
          ['Failing since', time(endpoint.failing_since)],
          ['Last error', endpoint.last_error],
          ['Last accepted', time(endpoint.last_delivered_at)],
          ['Given up in 14 days', endpoint.exhausted],
          [
            'Time to answer',
            ms && `median ${ms.median} ms, ${formatShare(0.95)} within ${ms.p95} ms`,
          ],
        ]}
      />
      {isOperator && (
        <>
          <ReplayDialog
            merchantId={endpoint.merchant_id}
            endpointId={endpoint.endpoint_id}
            open={isAsked}
            onClose={() => setAsked(false)}
          />
          <ReplayProgress merchantId={endpoint.merchant_id} />
        </>
      )}
    </Panel>
  );
}
