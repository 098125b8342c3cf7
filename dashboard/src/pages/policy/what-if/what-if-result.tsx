import type { ClaimJson, WhatIfJson, WhatIfResultJson } from '../../../api/generated/models.ts';
import type { FigureJson } from '../../../api/generated/overview.ts';
import { isUnderWay } from '../../../api/policies.ts';
import { adviceOf } from '../../../parts/claim-text.ts';
import { count, formatCount, formatDecimal } from '../../../parts/count.ts';
import { Facts } from '../../../parts/facts.tsx';
import { Figure, Figures } from '../../../parts/figure.tsx';
import { figureText } from '../../../parts/figure-text.ts';
import { Panel } from '../../../parts/panel.tsx';
import { formatShare } from '../../../parts/percent.ts';
import { StatePill } from '../../../parts/state-pill.tsx';
import { Time } from '../../../parts/time.tsx';
import { termsText } from '../policy-names.ts';
import { WhatIfMoney } from './what-if-money.tsx';

/** One what-if: how far it is, and what it says. */
export function WhatIfResult({ whatIf }: { readonly whatIf: WhatIfJson }) {
  const { state, charges_read: read, error, result, completed_at: at } = whatIf;
  return (
    <Panel
      title={termsText(whatIf)}
      aside={
        <span role="status">
          <StatePill state={state} />
          {state === 'reading' && ` ${count(read, 'charge', 'charges')} read`}
          {at !== undefined && (
            <>
              {' '}
              tested <Time at={at} />
            </>
          )}
        </span>
      }
    >
      <div className="batch">
        {isUnderWay(whatIf) && <progress aria-label="The test is under way" />}
        {error !== undefined && (
          <p className="form-error">The test failed: {error}. A worker tries it again.</p>
        )}
        {result !== undefined && <Result result={result} />}
      </div>
    </Panel>
  );
}

function Result({ result }: { readonly result: WhatIfResultJson }) {
  const { payment, next_try: next } = result;
  return (
    <>
      <Figures>
        <Figure
          name="Would have recovered"
          value={claimValue(payment)}
          beside={<PaymentText claim={payment} failures={result.failures} />}
        />
        <Figure
          name="Its next try succeeds"
          value={claimValue(next)}
          beside={
            neverTries(result) ? (
              'These terms never try again, so there is no next try.'
            ) : (
              <ClaimText claim={next} of="decisions" />
            )
          }
        />
        <Figure
          name="Tries that were made"
          value={triesValue(result)}
          beside={`${formatCount(result.succeeded)} of n = ${formatCount(result.tries)} within this window and budget succeeded`}
        />
      </Figures>
      <WhatIfMoney money={result.money} />
      <Facts
        items={[
          ['History', `${count(result.charges, 'charge', 'charges')} of the last 400 days`],
          ['Failed payments', result.failures],
          [
            'Tries again',
            `at ${result.would_try} of ${count(result.asked, 'decision', 'decisions')}`,
          ],
          [
            'Median wait',
            result.median_delay_days === undefined
              ? undefined
              : `${formatDecimal(result.median_delay_days, 1)} days to its next try`,
          ],
          ['Model', result.trained ? 'made from half of the payers' : undefined],
          ['Left out', result.capped ? 'all beyond the first million charges' : undefined],
        ]}
      />
      {result.propensities === 'estimated' && result.failures > 0 && (
        <p>
          No decision recorded the probability with which its time was chosen, so the share of each
          day was used instead. That is right only if days were not chosen by what is known about
          the payer.
        </p>
      )}
      <p className="muted">
        Brackets are {formatShare(0.95)} intervals, clustered by payer. Evidence about whole
        payments is weak, since their choices multiply; a live comparison with a holdout is strong.
      </p>
    </>
  );
}

/** Such as a fixed schedule whose first day is after the window. */
function neverTries({ asked, would_try: tries }: WhatIfResultJson): boolean {
  return asked > 0 && tries === 0;
}

/** Few payers have a share and no interval. */
function triesValue({ tries, succeeded, success_rate: rate }: WhatIfResultJson): string {
  if (tries === 0) return 'None';
  return figureText(rate ?? { value: succeeded / tries }, 'share');
}

function claimValue({ snips }: ClaimJson): string {
  return snips === undefined ? 'Not claimed' : figureText(snips, 'share');
}

/** The share as payments: `about 508 [434, 595] of 1,240 failed payments`. */
function PaymentText({
  claim,
  failures,
}: {
  readonly claim: ClaimJson;
  readonly failures: number;
}) {
  const { snips } = claim;
  return (
    <>
      {snips !== undefined && `${paymentsText(snips, failures)}; `}
      <ClaimText claim={claim} of="payments" />
    </>
  );
}

function paymentsText({ value, low = value, high = value }: FigureJson, failures: number): string {
  const [about, min, max] = [value, low, high].map((share) => Math.round(share * failures));
  return `about ${about} [${min}, ${max}] of ${count(failures, 'failed payment', 'failed payments')}`;
}

function ClaimText({ claim, of }: { readonly claim: ClaimJson; readonly of: string }) {
  const { n, logged, doubly_robust: robust, effective_sample: sample } = claim;
  if (!claim.claimed) {
    return (
      <>
        {claim.message} {adviceOf(claim.reason)}
      </>
    );
  }
  const parts = [
    ...(logged === undefined ? [] : [`what was done: ${figureText(logged, 'share')}`]),
    ...(robust === undefined ? [] : [`doubly robust: ${figureText(robust, 'share')}`]),
    `n = ${formatCount(n)} ${of}`,
    `effective sample ${Math.round(sample ?? 0)}`,
  ];
  return parts.join('; ');
}
