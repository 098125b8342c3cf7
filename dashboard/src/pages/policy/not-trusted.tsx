import { Time } from '../../parts/time.tsx';

/** Fixed schedules are used although the policy is the learned one: since when, and why. */
export function NotTrusted({
  whose,
  reason,
  since,
}: {
  readonly whose: string;
  readonly reason: string;
  readonly since: string | undefined;
}) {
  return (
    <section className="not-trusted" aria-label={`The model is not used: ${whose}`}>
      <p>
        <strong>! {whose}: payments go by the fixed schedule</strong>
        {since !== undefined && (
          <>
            {' '}
            since <Time at={since} form="both" />
          </>
        )}
        . The model is not used: {reason}.
      </p>
      <p className="muted">
        This ends when another model becomes active, by training or by hand. Tries that are already
        planned keep their times.
      </p>
    </section>
  );
}
