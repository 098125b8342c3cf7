import type { RetryBucketJson, RetryMapJson } from '../../api/generated/overview.ts';
import { useRetryMap } from '../../api/overview.ts';
import { count, formatCount } from '../../parts/count.ts';
import { Empty } from '../../parts/empty.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { HeatMap } from '../../parts/heat-map.tsx';
import { Panel } from '../../parts/panel.tsx';
import { percent } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { ShareBars } from '../../parts/share-bars.tsx';
import { Time } from '../../parts/time.tsx';
import { useAskedAt, useAskedSpan } from '../../state/asked-at.ts';
import { rangeLabel } from '../../state/range.ts';
import { useViewState } from '../../state/view-state.ts';
import { byDayOfMonth, byWeekdayAndHour, weekdays } from './by-clock.ts';
import { Cohorts, useShownCohorts } from './cohorts.tsx';

const hourNames = Array.from({ length: 24 }, (_, hour) => hour.toString().padStart(2, '0'));

/** When and for which cards retries succeed. */
export function RetryMap() {
  const view = useViewState();
  const { askedAt } = useAskedAt();
  const { span } = useAskedSpan(view.range);
  const query = useRetryMap(
    { merchant_id: view.merchantId, from: span.from, to: span.until },
    askedAt,
  );
  useShownCohorts();
  return (
    <QueryView query={query} what="the retry map" rows={8}>
      {(map) => (
        <>
          <div className="page-head">
            <h1>Retry timing</h1>
            {map.as_of !== undefined && (
              <span className="muted small">
                updated <Time at={map.as_of} />
              </span>
            )}
          </div>
          {map.hours.length === 0 ? (
            <Empty title="No retry was charged yet">
              <p>
                None in this time: {rangeLabel(view.range)}. A charge appears here a few minutes
                after its outcome is known.
              </p>
            </Empty>
          ) : (
            <Maps map={map} />
          )}
        </>
      )}
    </QueryView>
  );
}

function Maps({ map }: { readonly map: RetryMapJson }) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const byHour = byWeekdayAndHour(map.hours);
  const byDay = byDayOfMonth(map.hours);
  const tries = map.hours.reduce((sum, hour) => sum + hour.tries, 0);
  const successes = map.hours.reduce((sum, hour) => sum + hour.successes, 0);
  const aside = (
    <span className="muted small">
      success in percent, n = {count(tries, 'charge', 'charges')}, {zone}
    </span>
  );
  return (
    <>
      <Figures>
        <Figure
          name="Success of all charges"
          value={percent(successes, tries)}
          beside={`${formatCount(successes)} of ${count(tries, 'charge', 'charges')}`}
        />
      </Figures>
      <Cohorts />
      <Panel title="By weekday and hour" aside={aside}>
        <HeatMap
          name="Success by weekday and hour"
          corner="Day"
          rows={weekdays}
          columns={hourNames}
          cell={(row, column) => byHour[row]?.[column] ?? { tries: 0, successes: 0 }}
        />
        <p className="muted small">
          A cell in italics has fewer than 20 charges, and a dot none; point at one for its numbers.
        </p>
      </Panel>
      <Panel title="By day of the month" aside={aside}>
        <HeatMap
          name="Success by day of the month"
          corner="Day"
          rows={['Success']}
          columns={byDay.map((_, index) => (index + 1).toString())}
          cell={(_, column) => byDay[column] ?? { tries: 0, successes: 0 }}
        />
      </Panel>
      <div className="three-columns">
        <Panel title="By days since the failure">
          <ShareBars
            label="Success by days since the failure"
            head="Days"
            rows={rowsOf(map.days_since_failure)}
          />
        </Panel>
        <Panel title="By first decline">
          <ShareBars
            label="Success by first decline"
            head="Code"
            rows={rowsOf(map.decline_codes)}
          />
        </Panel>
        <Panel title="By first digits of the card">
          <ShareBars label="Success by first digits" head="BIN" rows={rowsOf(map.bins)} />
        </Panel>
      </div>
    </>
  );
}

function rowsOf(buckets: readonly RetryBucketJson[]) {
  return buckets.map(({ bucket, tries, successes }) => ({ name: bucket, tries, successes }));
}
