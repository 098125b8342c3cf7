import { useState } from 'react';
import { useAlertChannels } from '../../api/alerts.ts';
import type { AlertChannelJson, ListAlertChannelsAnswer } from '../../api/generated/alerts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Panel } from '../../parts/panel.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { AddChannel } from './add-channel.tsx';
import { AddRoute } from './add-route.tsx';
import { ChannelActions } from './channel-actions.tsx';
import { RouteTable } from './route-table.tsx';
import { Views } from './views.tsx';

/** Where alerts are sent, and which alerts go where. */
export function ChannelList() {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div className="page-head">
        <h1>Alert channels</h1>
        <Views current="/alerts/channels" />
        <div className="filters">
          <ExportButton list="/api/alert-channels" filters={{}} of="channels" />
          <button type="button" className="button" onClick={() => setAdding(true)}>
            Add a channel
          </button>
        </div>
      </div>
      <QueryView query={useAlertChannels()} what="the channels" rows={3}>
        {(answer) =>
          answer.channels.length === 0 ? (
            <Empty title="Alerts are sent nowhere">
              <p>
                Add a channel (e-mail, Slack or a webhook), test it, and add a route that says which
                alerts go there. Until then, alerts are shown only here and on the overview.
              </p>
            </Empty>
          ) : (
            <Channels {...answer} />
          )
        }
      </QueryView>
      <AddChannel open={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

function Channels({ channels, routes }: ListAlertChannelsAnswer) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <DataTable
        name="Channels"
        columns={columns}
        rows={channels}
        rowKey={(channel) => channel.id}
      />
      <Panel
        title="Routes"
        aside={
          <div className="filters">
            <ExportButton list="/api/alert-routes" filters={{}} of="routes" />
            <button type="button" className="button" onClick={() => setAdding(true)}>
              Add a route
            </button>
          </div>
        }
      >
        {routes.length === 0 ? (
          <p className="muted">No route leads to a channel: nothing is sent.</p>
        ) : (
          <RouteTable channels={channels} routes={routes} />
        )}
      </Panel>
      <AddRoute open={isAdding} channels={channels} onClose={() => setAdding(false)} />
    </>
  );
}

const kinds = { email: 'E-mail', slack: 'Slack', webhook: 'Webhook' };

const columns: readonly Column<AlertChannelJson>[] = [
  { name: 'Name', cell: ({ name }) => <span className="breaks">{name}</span> },
  { name: 'How', cell: ({ kind }) => kinds[kind] },
  { name: 'To', cell: ({ hint }) => <span className="breaks">{hint}</span> },
  {
    name: 'State',
    cell: (channel) => (
      <>
        <StatePill state={stateOf(channel)} />
        {channel.failing_since !== undefined && (
          <div className="muted breaks">
            since <Time at={channel.failing_since} byMachine />: {channel.last_error}
          </div>
        )}
      </>
    ),
  },
  {
    name: 'Last sent',
    cell: ({ last_sent_at: at }) =>
      at === undefined ? <span className="muted">never</span> : <Time at={at} byMachine />,
  },
  { name: 'Action', cell: (channel) => <ChannelActions channel={channel} /> },
];

function stateOf({ is_paused: isPaused, failing_since: since }: AlertChannelJson): string {
  if (isPaused) return 'paused';
  return since === undefined ? 'healthy' : 'failing';
}
