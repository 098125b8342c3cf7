import type {
  ChanceCurveJson,
  DecisionJson,
  PaymentJson,
  PaymentMethodJson,
} from '../../api/generated/payments.ts';
import { count, formatDecimal } from '../../parts/count.ts';
import { localTimes, shortTime } from '../../parts/format-time.ts';
import { signedText } from '../../parts/number-text.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { Time } from '../../parts/time.tsx';
import { Candidates, WeighedTimes } from './candidates.tsx';
import { ChanceCurve } from './chance-curve.tsx';
import { methodText } from './method-text.ts';

/** Whether there is anything to say of a next attempt: of a payment that has ended there is not. */
export function isOpen({ status }: PaymentJson): boolean {
  return status === 'scheduled' || status === 'attempting';
}

/** What is planned next, and why then: the decision record in words and as a picture. */
export function NextAttempt({
  payment,
  methods,
  curve,
}: {
  readonly payment: PaymentJson;
  /** Present where a model planned. */
  readonly curve: ChanceCurveJson | undefined;
  readonly methods: readonly PaymentMethodJson[];
}) {
  const { decision, next_attempt_at: nextAt } = payment;
  if (payment.held_by !== undefined) {
    return (
      <Panel title="No attempt is planned">
        <p>The payment is on hold. It is planned again once it continues.</p>
      </Panel>
    );
  }
  if (decision === undefined) {
    return (
      <Panel title="Next attempt">
        <p>It is being planned.</p>
      </Panel>
    );
  }
  const named = (decision.methods ?? []).map((id) => {
    const method = methods.find((each) => each.payment_method_id === id);
    return method === undefined ? id : methodText(method);
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
          {(decision.chance === undefined || decision.arm === 'explore') && (
            <li>{localTimes(decision.because ?? '')}</li>
          )}
          {decision.chance !== undefined && (
            <li>
              a chance of {formatShare(decision.chance)} by the model{against(decision)}
            </li>
          )}
          {decision.leading?.map(({ words, effect }) => (
            <li key={words}>
              {words}: {signedText(effect * 100, (size) => formatDecimal(size, 1))} points
            </li>
          ))}
          {decision.arm === 'holdout' && (
            <li>in the holdout that the learned policy is compared with</li>
          )}
          {decision.arm === 'explore' && <li>a time taken by chance, to learn from</li>}
          {bounds.map((bound) => (
            <li key={bound}>
              <strong>bound by</strong> {localTimes(bound)}
            </li>
          ))}
          <li>
            {payment.attempt_count === 0
              ? 'no try was'
              : count(payment.attempt_count, 'try was', 'tries were')}{' '}
            used so far
          </li>
          {decision.decided_at !== undefined && (
            <li>
              {decidedBy(decision.policy)} (version {decision.policy_version}), decided{' '}
              <Time at={decision.decided_at} focusable />
            </li>
          )}
        </ul>
        {curve === undefined ? (
          <Candidates decision={decision} payment={payment} />
        ) : (
          <>
            <ChanceCurve curve={curve} decision={decision} payment={payment} />
            <WeighedTimes
              candidates={[...(decision.candidates ?? [])].sort((a, b) => a.at.localeCompare(b.at))}
            />
          </>
        )}
      </div>
    </Panel>
  );
}

const policies: Readonly<Record<string, string>> = {
  learned: 'the learned policy',
  fixed: 'the schedule of fixed days',
  even: 'the even schedule',
};

function decidedBy(policy = ''): string {
  return `by ${policies[policy] ?? `the policy ${policy}`}`;
}

const hourMs = 3_600_000;

/** The best of the times that were weighed on other days. */
function against({ candidates = [], at }: DecisionJson): string {
  const chosenMs = Date.parse(at ?? '');
  const others = candidates.filter(
    (each) => Math.abs(Date.parse(each.at) - chosenMs) > 12 * hourMs,
  );
  const [best] = [...others].sort((a, b) => b.score - a.score);
  if (best === undefined) return '';
  return `; of the other days weighed the best has ${formatShare(best.score)} (${shortTime(new Date(best.at))})`;
}
