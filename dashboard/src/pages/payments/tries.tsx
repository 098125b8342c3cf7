import type { ReactNode } from 'react';
import type { AttemptJson, PaymentJson, PlannedTryJson } from '../../api/generated/payments.ts';
import { localTimes } from '../../parts/format-time.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatShare } from '../../parts/percent.ts';
import { StatePill } from '../../parts/state-pill.tsx';
import { Time } from '../../parts/time.tsx';
import { purposeOf } from './purpose-of.ts';

/** Every try of a payment as one line in time, those made and those planned, with what each is for. */
export function Tries({
  payment,
  planned,
}: {
  readonly payment: PaymentJson;
  readonly planned: readonly PlannedTryJson[];
}) {
  const { attempts, next_attempt_at: nextAt, window_ends_at: endsAt } = payment;
  const made = attempts.at(-1)?.number ?? 0;
  const isOpen = payment.status === 'scheduled' || payment.status === 'attempting';
  // The next one may have been put off since it was planned.
  const [, ...later] = planned;
  const next: PlannedTryJson | undefined =
    nextAt === undefined ? undefined : { ...planned[0], at: nextAt };
  const toCome = next === undefined ? [] : [next, ...later];
  return (
    <Panel title="Attempts">
      <ol className="story">
        <Line at={payment.failed_at} mark="✕" name="Failed at the merchant" />
        {attempts.map((attempt) => (
          <Made key={attempt.id} attempt={attempt} />
        ))}
        {toCome.map((each, index) => (
          <Line
            key={each.at}
            at={each.at}
            mark={index === 0 ? '◷' : '◌'}
            isPlanned
            name={
              <>
                Attempt {made + index + 1}, {index === 0 ? 'next' : 'if needed'}
                {each.chance !== undefined && ` · chance ${formatShare(each.chance)}`}
              </>
            }
            why={purposeOf(toCome, index)}
          />
        ))}
        {isOpen && (
          <Line
            at={endsAt}
            mark="■"
            isPlanned
            name="The window ends"
            why={untilThen(payment, toCome.length)}
          />
        )}
        <End payment={payment} />
      </ol>
    </Panel>
  );
}

function untilThen({ held_by: hold }: PaymentJson, planned: number): string {
  if (hold === 'incident') return 'Nothing is tried before then unless the incident is resolved.';
  if (hold === 'set_aside') return 'Nothing is tried before then unless somebody retries it.';
  return planned === 0
    ? 'Until then, a new or updated payment method is tried at once.'
    : 'Nothing is tried after it.';
}

/** Why nothing more is tried, where the money did not come back. */
function End({ payment }: { readonly payment: PaymentJson }) {
  const { status, updated_at: at, window_ends_at: endsAt, stop_reason: reason } = payment;
  if (status === 'exhausted') {
    const why = at >= endsAt ? 'The window ended.' : 'No attempt was left within the window.';
    return <Line at={at} mark="■" name="Not recovered" why={why} />;
  }
  if (status !== 'stopped') return null;
  const words = [reason?.replaceAll('_', ' '), payment.stop_detail];
  const why = words.filter((each) => each !== undefined).join(': ');
  return <Line at={at} mark="■" name="Stopped" why={why} />;
}

function Made({ attempt }: { readonly attempt: AttemptJson }) {
  const { decline, reason } = attempt.transactions.at(-1) ?? {};
  const { because, chance } = attempt.decision ?? {};
  return (
    <Line
      at={attempt.started_at}
      mark={attempt.status === 'succeeded' ? '✓' : '○'}
      name={
        <>
          Attempt {attempt.number} <StatePill state={attempt.status} />
          {decline !== undefined && ` ${decline.network_code ?? decline.code}`}
          {chance !== undefined && ` · the chance was ${formatShare(chance)}`}
        </>
      }
      why={reason ?? because}
    />
  );
}

function Line({
  at,
  mark,
  name,
  why,
  isPlanned = false,
}: {
  readonly at: string;
  readonly mark: string;
  readonly name: ReactNode;
  readonly why?: string | undefined;
  readonly isPlanned?: boolean;
}) {
  return (
    <li className={`story-entry try${isPlanned ? ' try-planned' : ''}`}>
      <span className="story-at">
        <Time at={at} form="short" focusable />
      </span>
      <span className="story-mark" aria-hidden="true">
        {mark}
      </span>
      <div className="story-words">
        <span>{name}</span>
        {why !== undefined && <p className="story-because">{localTimes(why)}</p>}
      </div>
    </li>
  );
}
