import { useOverview } from '../../api/overview.ts';
import { LiveBar } from '../../parts/live-bar.tsx';
import { QueryView } from '../../parts/query-view.tsx';
import { Time } from '../../parts/time.tsx';
import { useAskedAt } from '../../state/asked-at.ts';
import { useNow } from '../../state/service-time.tsx';
import { rangeStart, useViewState } from '../../state/view-state.ts';
import { Books } from './books.tsx';
import { CurrencyView } from './currency-view.tsx';
import { NeedsYou } from './needs-you.tsx';
import { NoFigures } from './no-figures.tsx';
import { PlannedAttempts } from './planned-attempts.tsx';
import { Pressure } from './pressure.tsx';

/** Whether money is being recovered, and whether anything is wrong. */
export function Overview() {
  const view = useViewState();
  const now = useNow();
  const { askedAt, ask } = useAskedAt();
  const query = useOverview(
    { merchant_id: view.merchantId, from: rangeStart(view.range, now)?.toISOString() },
    askedAt,
  );
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
                  <label className="field">
                    <span className="field-name">Currency</span>
                    <select
                      value={shown?.currency}
                      onChange={(event) => view.change({ currency: event.target.value })}
                    >
                      {overview.currencies.map(({ currency, cohort }) => (
                        <option key={currency} value={currency}>
                          {currency} ({cohort.payments})
                        </option>
                      ))}
                    </select>
                  </label>
                )}
                {overview.as_of !== undefined && (
                  <span className="muted small">
                    counted <Time at={overview.as_of} />
                  </span>
                )}
                <LiveBar
                  onShow={() => {
                    ask();
                    void query.refetch();
                  }}
                />
              </div>
            </div>
            {shown === undefined ? (
              <NoFigures isCounting={overview.as_of === undefined} />
            ) : (
              <CurrencyView
                of={shown}
                step={overview.series_step}
                aside={<NeedsYou alerts={overview.alerts} />}
              />
            )}
            {shown === undefined && <NeedsYou alerts={overview.alerts} />}
            <Books />
            <div className="two-columns">
              <PlannedAttempts planned={overview.planned} now={now} />
              <Pressure of={overview.network_pressure} />
            </div>
          </>
        );
      }}
    </QueryView>
  );
}
