import { Link } from 'wouter';
import type { PaymentJson } from '../../api/generated/payments.ts';
import { useIncidents } from '../../api/incidents.ts';
import { useSetAside } from '../../api/set-aside.ts';
import { count, plural } from '../../parts/count.ts';
import { useViewState } from '../../state/view-state.ts';

/** Why nothing goes on: an incident that freezes the payment, or work of it that was set aside. */
export function Held({ payment }: { readonly payment: PaymentJson }) {
  const view = useViewState();
  const { merchant_id: merchantId, invoice_id: invoiceId } = payment;
  const of = { merchant_id: merchantId, invoice_id: invoiceId, limit: 50 };
  const incidents = useIncidents({ ...of, state: 'unresolved' }).data?.items ?? [];
  const aside = useSetAside(of).data?.items ?? [];
  const [first] = incidents;
  return (
    <>
      {first !== undefined && (
        <p className="state" role="note">
          <span>
            <strong>■ Frozen.</strong> Nothing is charged for this payment until{' '}
            <Link
              href={
                incidents.length === 1
                  ? view.href(`/incidents/${encodeURIComponent(first.id)}`)
                  : view.href('/incidents', {
                      merchant: merchantId,
                      invoice: invoiceId,
                      state: 'unresolved',
                    })
              }
            >
              {count(incidents.length, 'incident', 'incidents')}
            </Link>{' '}
            {plural(incidents.length, 'is', 'are')} decided.
          </span>
        </p>
      )}
      {aside.map(({ kind, id, reason }) => (
        <p className="state" role="note" key={`${kind}/${id}`}>
          <span className="breaks">
            <strong>■ Set aside.</strong> {words[kind]} {reason}.{' '}
            <Link href={view.href('/set-aside', { merchant: merchantId, kind })}>Retry it</Link>
          </span>
        </p>
      ))}
    </>
  );
}

const words = {
  payment: 'The payment waits until somebody retries it:',
  charge: 'A charge is no longer looked up:',
  delivery: 'An event is no longer sent to the merchant:',
  endpoint_delivery: 'An event is no longer sent to a further endpoint:',
  request: 'One of its reports waits:',
} as const;
