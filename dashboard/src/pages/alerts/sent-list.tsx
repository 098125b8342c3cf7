import { Link } from 'wouter';
import { useAlertChannels, useAlertMessages } from '../../api/alerts.ts';
import type { AlertMessageJson } from '../../api/generated/alerts.ts';
import { count } from '../../parts/count.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { Filter } from '../../parts/filter.tsx';
import { Pager } from '../../parts/pager.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { Views } from './views.tsx';

const states = ['pending', 'sent', 'given_up'] as const;
const endings = { firing: '', resolved: ' has ended', test: '' } as const;

/** What channels were told, when, and whether they took it. */
export function SentList() {
  const view = useViewState();
  const channels = useAlertChannels().data?.channels ?? [];
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const asked = {
    channel_id: view.param('channel'),
    state: view.param('state'),
    cursor: view.param('cursor'),
  };
  return (
    <>
      <div className="page-head">
        <h1>Sent alerts</h1>
        <Views current="/alerts/sent" />
        <div className="filters">
          <Filter
            name="Channel"
            param="channel"
            values={[...names.keys()]}
            label={(id) => names.get(id) ?? id}
          />
          <Filter name="State" param="state" values={states} />
          <ExportButton list="/api/alert-messages" filters={asked} />
        </div>
      </div>
      <QueryView query={useAlertMessages(asked)} what="what was sent" rows={5}>
        {({ items, next_cursor: nextCursor }) =>
          items.length === 0 ? (
            <Empty title="Nothing was sent">
              <p>
                Messages to channels are listed here for ninety days, with the replies.{' '}
                <Link href={view.href('/alerts/channels')}>Add a channel and a route</Link> to be
                told.
              </p>
            </Empty>
          ) : (
            <>
              <DataTable
                name="Sent alerts, the newest first"
                columns={columnsOf(names)}
                rows={items}
                rowKey={({ id }) => id}
              />
              <Pager nextCursor={nextCursor} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function columnsOf(names: ReadonlyMap<string, string>): readonly Column<AlertMessageJson>[] {
  return [
    { name: 'When', cell: (message) => <Time at={message.created_at} byMachine /> },
    { name: 'Channel', cell: ({ channel_id: id }) => names.get(id) ?? id },
    {
      name: 'What',
      cell: ({ alerts }) =>
        alerts.map(({ key, state, title, detail }) => (
          <div key={key} className="breaks">
            <strong>
              {title}
              {endings[state]}
            </strong>
            <div className="muted">{detail}</div>
          </div>
        )),
    },
    {
      name: 'State',
      cell: ({ state, tries, last_error: error }) => (
        <>
          <StatePill state={state} />
          <div className="muted small">{count(tries, 'send', 'sends')}</div>
          {error !== undefined && <div className="small breaks">{error}</div>}
        </>
      ),
    },
  ];
}
