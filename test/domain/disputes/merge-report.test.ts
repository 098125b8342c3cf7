import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeFacts, supersedes } from '../../../src/domain/disputes/merge-report.ts';
import {
  type DisputeState,
  disputeStages,
  disputeStatuses,
} from '../../../src/domain/disputes/normalise/dispute-state.ts';
import type { DisputeFacts } from '../../../src/domain/disputes/reported-dispute.ts';

const state: fc.Arbitrary<DisputeState> = fc.record({
  kind: fc.constant('dispute' as const),
  stage: fc.constantFrom(...disputeStages),
  status: fc.constantFrom(...disputeStatuses),
});
const said = fc.record({ state, at: fc.date({ noInvalidDate: true }) });

describe('what replaces what is known', () => {
  it('is only what the PSP said later, whatever the states', () => {
    fc.assert(
      fc.property(said, said, (one, other) => {
        fc.pre(one.at.getTime() !== other.at.getTime());
        expect(supersedes(one, other)).toBe(one.at > other.at);
      }),
    );
  });

  it('of one instant is what is further on, in whichever order they come', () => {
    const at = new Date('2026-03-01T12:00:00Z');
    const open = { kind: 'dispute', stage: 'chargeback', status: 'needs_response' } as const;
    const lost = { ...open, status: 'lost' } as const;
    expect(supersedes({ state: lost, at }, { state: open, at })).toBe(true);
    expect(supersedes({ state: open, at }, { state: lost, at })).toBe(false);
    const arbitration = { ...open, stage: 'pre_arbitration' } as const;
    expect(supersedes({ state: arbitration, at }, { state: lost, at })).toBe(true);
  });
});

describe('merged facts', () => {
  const older: DisputeFacts = {
    pspDisputeId: 'dp_1',
    openedAt: new Date('2026-03-01T12:00:00Z'),
    paymentIds: ['ch_1'],
    pspCustomerId: 'cus_1',
    reason: 'fraud',
    unsignedFields: ['reason', 'pspCustomerId'],
  };

  it('are the newer ones, and what only the older report had', () => {
    const newer: DisputeFacts = {
      pspDisputeId: 'dp_1',
      openedAt: new Date('2026-03-02T12:00:00Z'),
      paymentIds: ['pi_1', 'ch_1'],
      reason: 'fraudulent',
    };
    expect(mergeFacts(newer, older)).toEqual({
      pspDisputeId: 'dp_1',
      openedAt: older.openedAt,
      paymentIds: ['pi_1', 'ch_1'],
      pspCustomerId: 'cus_1',
      reason: 'fraudulent',
      // What a signature covers now was proved; the rest still was not.
      unsignedFields: ['pspCustomerId'],
    });
  });
});
