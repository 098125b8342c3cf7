import { useEarlierOverview, useInvariants, useOverview } from '../../api/overview.ts';
import { Choice } from '../../parts/choice.tsx';
import { formatCount } from '../../parts/count.ts';
import { LiveBar } from '../../parts/live-bar.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Time } from '../../parts/time.tsx';
import { useAskedAt, useAskedSpan } from '../../state/asked-at.ts';
import { comparisonOf, earlierSpan } from '../../state/comparison.ts';
import { rangeText } from '../../state/range.ts';
import { useSeesAll } from '../../state/sees-all.ts';
import { useNow } from '../../state/service-time.tsx';
import { useViewState } from '../../state/view-state.ts';
import { Books } from './books.tsx';
import { ComparisonChoice } from './comparison-choice.tsx';
import { CurrencyView } from './currency-view.tsx';
import { earlierOf } from './earlier.ts';
import { NeedsYou } from './needs-you.tsx';
import { NoFigures } from './no-figures.tsx';
import { PlannedAttempts } from './planned-attempts.tsx';
import { Pressure } from './pressure.tsx';
import { useNotes } from './use-notes.ts';

/** From so many on they are as high as a chart. */
const manyAlerts = 4;

/** Whether money is being recovered, and whether anything is wrong. */
export function Overview() {
  const view = useViewState();
  const now = useNow();
  const { askedAt, ask } = useAskedAt();
  const { span, spanAt, askSpan } = useAskedSpan(view.range);
  const query = useOverview(
    { merchant_id: view.merchantId, from: span.from, to: span.until },
    askedAt,
  );
  const comparison = comparisonOf(view.param('compare'));
  const earlierTime = earlierSpan(view.range, spanAt, comparison);
  const earlier = useEarlierOverview(
    {
      query: earlierTime && {
        merchant_id: view.merchantId,
        from: earlierTime.from.toISOString(),
        to: earlierTime.until.toISOString(),
      },
      range: [comparison, rangeText(view.range), view.merchantId].join(' '),
    },
    askedAt,
  );
  // Asked for now, and not by the parts that show them once the overview is there.
  const notes = useNotes(view.merchantId);
  useInvariants(useSeesAll());
  return (
    <QueryView query={query} what="the overview" rows={8}>
      {(overview) => {
        const wanted = view.param('currency');
        const shown =
          overview.currencies.find(({ currency }) => currency === wanted) ?? overview.currencies[0];
        return (
          <>
            <div className="page-head">
              <h1>Overview</h1>
              <div className="filters">
                {overview.currencies.length > 1 && (
                  <Choice
                    label="Currency"
                    value={shown?.currency ?? ''}
                    options={overview.currencies.map(({ currency, cohort }) => ({
                      value: currency,
                      label: `${currency} (${formatCount(cohort.payments)})`,
                    }))}
                    onChange={(currency) => view.change({ currency })}
                  />
                )}
                <ComparisonChoice
                  comparison={comparison}
                  earlier={earlierTime}
                  onChange={(compare) => view.change({ compare })}
                />
                {overview.as_of !== undefined && (
                  <span className="muted small">
                    updated <Time at={overview.as_of} />
                  </span>
                )}
                <LiveBar
                  onShow={() => {
                    ask();
                    askSpan();
                    void query.refetch();
                    if (earlierTime !== undefined) void earlier.refetch();
                  }}
                />
              </div>
            </div>
            {shown === undefined ? (
              <>
                <NoFigures isCounting={overview.as_of === undefined} />
                <div className="halves">
                  <NeedsYou alerts={overview.alerts} />
                  <Books />
                </div>
                <div className="two-columns">
                  <PlannedAttempts planned={overview.planned} now={now} />
                  <Pressure of={overview.network_pressure} />
                </div>
              </>
            ) : (
              <CurrencyView
                of={shown}
                notes={notes}
                earlier={earlierOf(shown.currency, {
                  overview: earlierTime && earlier.data,
                  from: span.from,
                  span: earlierTime,
                })}
                step={overview.series_step}
                planned={<PlannedAttempts planned={overview.planned} now={now} />}
                isAsideLong={overview.alerts.length >= manyAlerts}
                aside={
                  <div className="column">
                    <NeedsYou alerts={overview.alerts} />
                    <Pressure of={overview.network_pressure} />
                    <Books />
                  </div>
                }
              />
            )}
          </>
        );
      }}
    </QueryView>
  );
}
