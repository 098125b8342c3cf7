import type { ProgrammeVerdictJson } from '../../api/generated/dispute-reports.ts';
import { useDisputeRatios } from '../../api/limits.ts';
import { useMerchants } from '../../api/merchants.ts';
import { count, formatCount } from '../../parts/count.ts';
import { ExportButton } from '../../parts/export-button.tsx';
import { monthText } from '../../parts/format-time.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { QueryView } from '../../parts/query-view.tsx';
import { Time } from '../../parts/time.tsx';
import { useAskedAt } from '../../state/asked-at.ts';
import { useViewState } from '../../state/view-state.ts';

const names: Readonly<Record<string, string>> = {
  visa_vamp: 'Visa VAMP',
  mastercard_ecm: 'Mastercard ECM',
  mastercard_hecm: 'Mastercard HECM',
};

/** How far the month has come towards the networks' monitoring programmes. */
export function Gauges() {
  const view = useViewState();
  const { askedAt } = useAskedAt();
  const query = useDisputeRatios(view.merchantId, askedAt);
  const merchants = new Map(useMerchants().data?.map(({ id, name }) => [id, name]));
  return (
    <Panel
      title="Monitoring programmes"
      aside={
        <div className="filters">
          <span className="muted">
            {query.data && `${monthText(query.data.month)}, `}an estimate
            {query.data && (
              <>
                , counted <Time at={query.data.as_of} />
              </>
            )}
          </span>
          <ExportButton
            list="/api/dispute-ratios"
            filters={{ merchant_id: view.merchantId }}
            of="ratios of disputes"
          />
        </div>
      }
    >
      <QueryView query={query} what="the ratios">
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">Nothing was settled or disputed this month.</p>
          ) : (
            <div className="batch">
              {items.map((item) => (
                <section
                  key={item.merchant_id}
                  aria-label={merchants.get(item.merchant_id) ?? item.merchant_id}
                >
                  <h3>{merchants.get(item.merchant_id) ?? item.merchant_id}</h3>
                  <div className="gauges">
                    {item.programmes.map((programme) => (
                      <Gauge key={programme.programme} programme={programme} />
                    ))}
                  </div>
                  <Unknown disputes={item.unknown_disputes} settled={item.unknown_settled} />
                </section>
              ))}
            </div>
          )
        }
      </QueryView>
    </Panel>
  );
}

/** A programme begins where both of its conditions are reached; each has a bar of its own. */
function Gauge({ programme }: { readonly programme: ProgrammeVerdictJson }) {
  const { items, limit_items: limitItems, limit_bps: limitBps } = programme;
  const ratioBps = programme.ratio_bps ?? 0;
  const shares = { ratio: ratioBps / limitBps, items: items / limitItems };
  const name = names[programme.programme] ?? programme.programme;
  const isNear = Math.min(shares.ratio, shares.items) >= nearShare;
  const state = programme.is_excessive ? 'excessive' : isNear ? 'near' : 'clear';
  return (
    <div className="gauge">
      <p>
        <strong>{name}</strong> <span className={`gauge-word gauge-${state}`}>{words[state]}</span>
      </p>
      <Condition
        name={`${name}, ratio`}
        share={shares.ratio}
        text={`Ratio ${formatShare(ratioBps / 10_000, 2)} of ${formatShare(limitBps / 10_000, 2)}`}
      />
      <Condition
        name={`${name}, cases`}
        share={shares.items}
        text={`Cases ${formatCount(items)} of ${formatCount(limitItems)}`}
      />
      <p className="muted small">
        It begins when both are reached. n ={' '}
        {count(programme.out_of, 'settled charge', 'settled charges')}. {breachText(programme)}
        Limits by {programme.source}.
      </p>
    </div>
  );
}

const nearShare = 0.7;

/** One of the two conditions, as a bar up to its limit. */
function Condition({
  name,
  share,
  text,
}: {
  readonly name: string;
  readonly share: number;
  readonly text: string;
}) {
  const percent = Math.round(Math.min(1, share) * 100);
  const state = share >= 1 ? 'excessive' : share >= nearShare ? 'near' : 'clear';
  return (
    <>
      <p>
        {text}
        {share >= 1 && ' ✕ reached'}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers paint a meter in colours of their own */}
      <div
        className="gauge-track"
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${formatShare(share)} of the limit`}
      >
        <span className={`gauge-fill fill-${state}`} style={{ width: `${percent}%` }} />
      </div>
    </>
  );
}

const words = { clear: '✓ clear', near: '! near', excessive: '✕ reached' } as const;

function breachText({
  is_excessive: isReached,
  days_to_breach: days,
}: ProgrammeVerdictJson): string {
  if (isReached || days === undefined) return '';
  return `At this pace it is reached in ${count(days, 'day', 'days')}. `;
}

function Unknown({ disputes, settled }: { readonly disputes: number; readonly settled: number }) {
  if (disputes === 0 && settled === 0) return null;
  return (
    <p className="muted small">
      Not counted, since their network is not known: {count(disputes, 'dispute', 'disputes')},{' '}
      {count(settled, 'charge', 'charges')}.
    </p>
  );
}
