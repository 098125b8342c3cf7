import type pg from 'pg';
import { dayMs } from '../../../domain/clock.ts';
import { contradictionOf } from '../../psps/stripe/contradiction.ts';
import type { StripePsp } from '../../psps/stripe/stripe-psp.ts';
import type { LedgerCharge, WorldRecord } from '../../record.ts';
import type { Draws } from '../../schedule/draws.ts';
import type { Scheduler } from '../../schedule/scheduler.ts';
import type { ServiceCalls } from '../service-calls.ts';
import { ingestEvent } from '../stripe-tells.ts';
import type { Weather } from '../weather.ts';

export interface LateWordsDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly calls: ServiceCalls;
  readonly weather: Weather;
  readonly record: WorldRecord;
  readonly stripe: StripePsp;
  readonly admin: pg.Client;
}

/**
 * Charges of packed payments. A word about another one would find it undecided at times, and then be taken for the
 * truth.
 */
const packedQuery = {
  name: 'faults_packed_charges',
  text: `
    select t.merchant_id, t.idempotency_key as key
    from payments p
    join recorded_attempts a using (merchant_id, invoice_id)
    join psp_transactions t using (merchant_id, attempt_id)
    where p.archived_at is not null and t.state = 'succeeded'
    order by 1, 2`,
};

/** So often in all the days with faults: the checker asks little of a debt whose charge a person looks at. */
const timesTold = 4;

/** Stripe says of a success of long ago that it was none: where that was packed, it is put back, with an incident. */
export function planLateWords(deps: LateWordsDeps, days: number): void {
  const { scheduler, weather, admin, record } = deps;
  const draws = deps.draws.fork('late words');
  const everyMs = (days * dayMs) / timesTold;
  const look = async () => {
    if (weather.isCalm) return;
    const { rows } = await admin.query<{ merchant_id: string; key: string }>(packedQuery);
    const told = rows.flatMap(({ merchant_id: merchantId, key }) => {
      const charge = record.charges.find((made) => made.psp === 'stripe' && made.key === key);
      return charge === undefined ? [] : [{ merchantId, charge }];
    });
    if (told.length > 0) tell(deps, draws.pick(told));
    scheduler.after(2 * draws.unit() * everyMs, look);
  };
  scheduler.after(everyMs, look);
}

function tell(
  { scheduler, calls, record, stripe }: LateWordsDeps,
  { merchantId, charge }: { readonly merchantId: string; readonly charge: LedgerCharge },
): void {
  const account = stripe.account(charge.account);
  const event = contradictionOf(account, charge.key);
  if (event === undefined) return;
  calls.make({
    what: `a late word of ${charge.chargeId}`,
    work: (process) => ingestEvent(process, { stripe, merchantId, account, event }),
    onAnswer({ kind }) {
      const atMs = scheduler.nowMs();
      if (kind === 'read') record.contradictions.push({ merchantId, key: charge.key, atMs });
      return true;
    },
    // Not again: after a restored backup the charge may be undecided.
    waitsMs: [],
  });
}
