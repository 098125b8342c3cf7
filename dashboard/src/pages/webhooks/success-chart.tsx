import { useMemo } from 'react';
import type { EndpointSuccessJson } from '../../api/generated/webhook-endpoints.ts';
import { useEndpointSuccess } from '../../api/webhooks.ts';
import { Chart } from '../../parts/chart/chart.tsx';
import { count, formatCount } from '../../parts/count.ts';
import { numberText } from '../../parts/number-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { useViewState } from '../../state/view-state.ts';

const dayForm = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const hourForm = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const percent = numberText({ style: 'percent', maximumFractionDigits: 1 });
const milliseconds = (value: number): string => `${formatCount(Math.round(value))} ms`;

/** The days that the page's range asks for, as far back as sends are looked at. */
const daysOf: Readonly<Record<string, number>> = { '24h': 1, '7d': 7 };
const mostDays = 30;

/** How an endpoint's first sends went over time, and how long it took to answer. */
export function SuccessChart({
  merchantId,
  endpointId,
}: {
  readonly merchantId: string;
  readonly endpointId: string;
}) {
  const { range } = useViewState();
  const days = typeof range === 'string' ? (daysOf[range] ?? mostDays) : mostDays;
  const query = useEndpointSuccess(merchantId, endpointId, days);
  return (
    <QueryView query={query} what="how it did" rows={6}>
      {(success) => <Drawn success={success} days={days} />}
    </QueryView>
  );
}

function Drawn({
  success,
  days,
}: {
  readonly success: EndpointSuccessJson;
  readonly days: number;
}) {
  const { step } = success;
  const drawing = useMemo(() => drawingOf(success), [success]);
  const sent = success.points.reduce((sum, point) => sum + point.sent, 0);
  const accepted = success.points.reduce((sum, point) => sum + point.accepted, 0);
  const timeText = (at: Date): string => (step === 'hour' ? hourForm : dayForm).format(at);
  const title = `Accepted at the first send, each ${step}`;
  if (sent === 0) {
    return (
      <Panel title={title}>
        <p className="muted">Nothing was sent in {count(days, 'day', 'days')}.</p>
      </Panel>
    );
  }
  return (
    <>
      <Panel
        title={title}
        aside={
          <span className="muted small">
            {percent(accepted / sent)} of {count(sent, 'event', 'events')}
            {step === 'day' && ', UTC'}
          </span>
        }
      >
        <Chart
          label={`Share of events accepted at their first send: ${percent(accepted / sent)} in all`}
          times={drawing.times}
          series={drawing.shares}
          form="lines"
          notes={noNotes}
          format={percent}
          timeText={timeText}
        />
      </Panel>
      <Panel
        title="Time to answer"
        aside={
          <span className="muted small">
            of accepted sends: median, and dashed {formatShare(0.95)} within
          </span>
        }
      >
        <Chart
          label={`Time to answer, median and ${formatShare(0.95)} within`}
          times={drawing.times}
          series={drawing.durations}
          form="lines"
          notes={noNotes}
          format={milliseconds}
          timeText={timeText}
        />
      </Panel>
    </>
  );
}

const noNotes: readonly never[] = [];

/** Steps in which nothing was sent have no share; they are left out. */
function drawingOf({ points }: EndpointSuccessJson) {
  const sent = points.filter((point) => point.sent > 0);
  return {
    times: sent.map(({ at }) => new Date(at)),
    shares: [
      {
        name: 'Accepted at the first send',
        values: sent.map((point) => point.accepted / point.sent),
        colour: 'var(--recovered)',
      },
    ],
    durations: [
      {
        name: 'Median',
        values: sent.map((point) => point.duration_ms?.median),
        colour: 'var(--recovered)',
      },
      {
        name: `${formatShare(0.95)} within`,
        values: sent.map((point) => point.duration_ms?.p95),
        colour: 'var(--accent)',
        dash: [6, 4],
      },
    ],
  };
}
