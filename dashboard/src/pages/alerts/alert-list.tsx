import { useState } from 'react';
import { useAlerts } from '../../api/alerts.ts';
import type { FiringAlertJson } from '../../api/generated/alerts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { ExportButton } from '../../parts/export-button.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { SaidOf } from '../../parts/said-of.tsx';
import { Time } from '../../parts/time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { kindNames, urgencies } from './kind-names.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { SilenceTable } from './silence-table.tsx';
import { Views } from './views.tsx';

/** What needs somebody now, and what of it nobody is told of. */
export function AlertList() {
  const { merchantId: merchant_id } = useViewState();
  const [asked, setAsked] = useState<FiringAlertJson>();
  return (
    <>
      <div className="page-head">
        <h1>Alerts</h1>
        <Views current="/alerts" />
        <div className="filters">
          <ExportButton list="/api/alerts" filters={{ merchant_id }} />
        </div>
      </div>
      <QueryView query={useAlerts({ merchant_id })} what="the alerts" rows={5}>
        {({ alerts, silences }) => (
          <>
            {alerts.length === 0 ? (
              <Empty title="Nothing needs attention">
                <p>The service checks once a minute and sends what it finds to the channels.</p>
              </Empty>
            ) : (
              <DataTable
                name="Alerts"
                columns={columnsOf(setAsked)}
                rows={byUrgency(alerts)}
                rowKey={(alert) => alert.key}
              />
            )}
            {silences.length > 0 && <SilenceTable silences={silences} />}
          </>
        )}
      </QueryView>
      <SilenceDialog alert={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

/** What cannot wait comes first, and else the order stays as it is. */
function byUrgency(alerts: readonly FiringAlertJson[]): readonly FiringAlertJson[] {
  const isUrgent = ({ severity }: FiringAlertJson): boolean => severity === 'page';
  return [...alerts.filter(isUrgent), ...alerts.filter((alert) => !isUrgent(alert))];
}

function columnsOf(ask: (alert: FiringAlertJson) => void): readonly Column<FiringAlertJson>[] {
  return [
    {
      name: 'What',
      cell: ({ title, merchant_name: name, detail, action }) => (
        <>
          <strong className="breaks">
            {name !== undefined && title.startsWith(`${name}: `) ? (
              <SaidOf name={name} words={title.slice(`${name}: `.length)} />
            ) : (
              title
            )}
          </strong>
          <div className="muted breaks">{detail}</div>
          <div className="breaks">{action}</div>
        </>
      ),
    },
    { name: 'Kind', cell: ({ kind }) => kindNames[kind] },
    { name: 'Urgency', cell: ({ severity }) => urgencies[severity] },
    { name: 'Since', cell: (alert) => <Time at={alert.first_seen_at} byMachine /> },
    {
      name: 'Action',
      cell: (alert) =>
        alert.is_silenced ? (
          <span className="muted">silenced</span>
        ) : (
          <button
            type="button"
            className="button"
            aria-label={`Silence: ${alert.title}`}
            onClick={() => ask(alert)}
          >
            Silence
          </button>
        ),
    },
  ];
}
