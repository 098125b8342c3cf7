import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import type { PolicyJson } from '../../../api/generated/merchants.ts';
import type { ClaimJson, WhatIfJson, WhatIfMoneyJson } from '../../../api/generated/models.ts';
import { isUnderWay, useRequestWhatIf, useWhatIfs } from '../../../api/policies.ts';
import { ActButton } from '../../../parts/act-button.tsx';
import { budgetOf } from '../../../parts/budget-inputs.ts';
import { adviceOf } from '../../../parts/claim-text.ts';
import { count } from '../../../parts/count.ts';
import { figureText } from '../../../parts/figure-text.ts';
import { FormError } from '../../../parts/form-error.tsx';
import { formatAmount } from '../../../parts/format-amount.ts';
import { signedText } from '../../../parts/number-text.ts';
import { formatShare } from '../../../parts/percent.ts';

/** Where the merchant's policy has none of its own. */
const [usualHoldout, usualExplored] = [0.1, 0.07];

const steps = [0.1, 0.5, 0.9].map((step) => formatShare(step)).join(', ');

/**
 * What the learned policy means for a merchant, before it is switched on: how it takes over, what stays out of
 * it, how to go back, and what it would have brought on the merchant's own charges.
 */
export function LearnedTerms({
  merchantId,
  policy,
}: {
  readonly merchantId: string;
  readonly policy: PolicyJson;
}) {
  const request = useRequestWhatIf();
  const tested = useWhatIfs(merchantId).data?.what_ifs.find((each) => each.policy === 'learned');
  const test = (event: MouseEvent<HTMLButtonElement>): void => {
    const { form } = event.currentTarget;
    if (form === null || !form.reportValidity()) return;
    request.mutate({
      merchant_id: merchantId,
      policy: 'learned',
      ...budgetOf(new FormData(form)),
    });
  };
  return (
    <section className="batch" aria-label="What the learned policy means">
      <p>
        At first all payments go by the days above. A model takes over {steps} of them. It goes up a
        step only if the payments that it planned were recovered no less often, and steps back by
        itself if they were not.
      </p>
      <p>
        {formatShare(policy.holdout_share ?? usualHoldout)} of payments always stay on these days,
        to compare with (the holdout). {formatShare(policy.explore_share ?? usualExplored)} of
        decisions take a time by chance, to learn from.
      </p>
      <p>To go back, choose another way here: it applies from the next plan of each payment.</p>
      <ActButton isBusy={request.isPending} onClick={test}>
        Test it on this merchant’s past charges
      </ActButton>
      <FormError error={request.error} />
      <div role="status">{tested !== undefined && <Tested whatIf={tested} />}</div>
    </section>
  );
}

function Tested({ whatIf }: { readonly whatIf: WhatIfJson }) {
  const { window_days: days, max_attempts: tries, charges_read: read, result } = whatIf;
  const terms = `${count(tries, 'try', 'tries')} in ${count(days, 'day', 'days')}`;
  if (isUnderWay(whatIf)) {
    return (
      <p>
        <progress aria-label="The test is under way" /> {terms}: {count(read, 'charge', 'charges')}{' '}
        read
      </p>
    );
  }
  if (result === undefined) return <p className="form-error">The test failed: {whatIf.error}.</p>;
  const shown = new URLSearchParams({ merchant: whatIf.merchant_id, shown: whatIf.id });
  return (
    <>
      <p>
        {terms}, on {count(result.failures, 'failed payment', 'failed payments')}:{' '}
        {paymentText(result.payment)}
      </p>
      {result.money.filter(({ claimed }) => claimed).map(moneyLine)}
      <p>
        <Link href={`/policy/what-if?${shown}`}>All figures of this test</Link>
      </p>
    </>
  );
}

function paymentText({ snips, logged, message, reason }: ClaimJson): string {
  if (snips === undefined) return `no claim. ${message ?? ''} ${adviceOf(reason)}`;
  return `it would have recovered ${figureText(snips, 'share')}, and what was done ${figureText(logged, 'share')}.`;
}

function moneyLine({ currency, gain }: WhatIfMoneyJson) {
  if (gain === undefined) return null;
  const { value, low = value, high = value } = gain;
  const written = (amount: number) => formatAmount(amount, currency);
  return (
    <p key={currency}>
      In {currency}: {signedText(value, written)} [{written(low)}, {written(high)}] compared with
      what was done.
    </p>
  );
}
