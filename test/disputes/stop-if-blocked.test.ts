import { expect, it } from 'vitest';
import type { DisputeRecord } from '../../src/disputes/dispute-ports.ts';
import { stopIfBlocked } from '../../src/disputes/stop-if-blocked.ts';
import { disputeStatuses } from '../../src/domain/disputes/normalise/dispute-state.ts';

/** What is asked to be stopped where a dispute is in this state. */
async function stopsOf(state: DisputeRecord['state'], pspDisputeId = 'dp_1') {
  const stops: unknown[] = [];
  const at = new Date('2026-03-01T12:00:00Z');
  const record: DisputeRecord = {
    merchantId: 'mer_1',
    psp: 'stripe',
    pspDisputeId,
    disputeId: 'dis_1',
    origin: 'psp',
    state,
    stateAt: at,
    stageBegunAt: at,
    facts: { pspDisputeId, openedAt: at, paymentIds: [] },
    lookUp: { state: 'none', tries: 0 },
  };
  await stopIfBlocked({ stopRetries: async (input) => void stops.push(input) }, record);
  return stops;
}

const key = { merchantId: 'mer_1', disputeId: 'dis_1' };

it.each(disputeStatuses)(
  'a dispute that is %s stops retries while it is open, and then alone',
  async (status) => {
    const isOpen = status === 'needs_response' || status === 'under_review';
    expect(await stopsOf({ kind: 'dispute', stage: 'chargeback', status })).toEqual(
      isOpen ? [{ ...key, detail: 'The card has a dispute at stripe: dp_1' }] : [],
    );
  },
);

it('a fraud warning stops retries, and is told as what it is', async () => {
  expect(await stopsOf({ kind: 'fraud_warning' })).toEqual([
    { ...key, detail: 'The card has a fraud warning at stripe: dp_1' },
  ]);
});

it('what is told of it is no longer than a stop may be told', async () => {
  const [stop] = await stopsOf({ kind: 'fraud_warning' }, 'x'.repeat(600));
  expect((stop as { detail: string }).detail).toHaveLength(500);
});
