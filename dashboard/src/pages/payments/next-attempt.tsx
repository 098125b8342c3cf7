import type { PaymentJson, PaymentMethodJson } from '../../api/generated/payments.ts';
import { count } from '../../parts/count.ts';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { Candidates } from './candidates.tsx';
import { methodWords } from './method-words.ts';

/** What is planned next, and why then: the decision record in words and as a picture. */
export function NextAttempt({
  payment,
  methods,
}: {
  readonly payment: PaymentJson;
  readonly methods: readonly PaymentMethodJson[];
}) {
  const { decision, next_attempt_at: nextAt } = payment;
  const isOpen = payment.status === 'scheduled' || payment.status === 'attempting';
  if (!isOpen) return null;
  if (decision === undefined) {
    return (
      <Panel title="Next attempt">
        <p>It is being planned.</p>
      </Panel>
    );
  }
  const named = (decision.methods ?? []).map((id) => {
    const method = methods.find((each) => each.payment_method_id === id);
    return method === undefined ? id : methodWords(method);
  });
  const bounds = decision.bounded_by ?? [];
  return (
    <Panel title={nextAt === undefined ? 'No attempt is planned' : 'Next attempt'}>
      <div className="next">
        {nextAt !== undefined && (
          <p className="next-when">
            <Time at={nextAt} form="both" focusable />
            {named.length > 0 && `, ${named.join(', then ')}`}
          </p>
        )}
        <ul className="reasons">
          <li>{decision.because}</li>
          {decision.chance !== undefined && (
            <li>a chance of {(decision.chance * 100).toFixed(0)} % by the model</li>
          )}
          {decision.leading?.map(({ words, effect }) => (
            <li key={words}>
              {words}: {effect < 0 ? '−' : '+'}
              {Math.abs(effect * 100).toFixed(1)} points
            </li>
          ))}
          {decision.arm === 'holdout' && <li>held out, to compare the learned policy with</li>}
          {decision.arm === 'explore' && <li>a time taken by chance, to learn from</li>}
          {bounds.map((bound) => (
            <li key={bound}>{bound}</li>
          ))}
          <li>{count(payment.attempt_count, 'try was', 'tries were')} used so far</li>
          {decision.decided_at !== undefined && (
            <li>
              by the policy {decision.policy} (version {decision.policy_version}), decided{' '}
              <Time at={decision.decided_at} focusable />
            </li>
          )}
        </ul>
        <Candidates decision={decision} payment={payment} />
      </div>
    </Panel>
  );
}
