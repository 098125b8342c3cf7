import { Time } from '../../parts/time.tsx';

/** Fixed schedules are used although the policy is the learned one: since when, and why. */
export function NotTrusted({
  reason,
  since,
}: {
  readonly reason: string;
  readonly since: string | undefined;
}) {
  return (
    <section className="not-trusted" aria-label="The model is not used">
      <p>
        <strong>! Payments go by the fixed schedule</strong>
        {since !== undefined && (
          <>
            {' '}
            since <Time at={since} form="both" />
          </>
        )}
        . The model is not used: {reason}.
      </p>
      <p className="muted">
        It ends when another model is promoted, by a training or by hand on the view Models. A try
        that is already planned keeps its time.
      </p>
    </section>
  );
}
