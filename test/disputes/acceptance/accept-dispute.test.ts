import { describe, expect, it } from 'vitest';
import { type AcceptDeps, acceptDispute } from '../../../src/disputes/acceptance/accept-dispute.ts';
import type { AcceptanceRecord } from '../../../src/disputes/acceptance/acceptance-gateway.ts';
import type { DisputeDetail } from '../../../src/disputes/dispute-ports.ts';
import type { EvidenceResult } from '../../../src/disputes/submission/evidence-gateway.ts';
import type {
  Acceptance,
  AcceptanceStep,
  StageAnswer,
} from '../../../src/disputes/submission/submission-ports.ts';
import { disputeDetail } from '../evidence/evidence-records.ts';

const now = new Date('2026-06-10T12:00:00Z');
const input = { merchantId: 'mer_1', disputeId: 'dis_1', actor: 'ann' };
const open = disputeDetail({ stateAt: new Date(now.getTime() - 60_000) });

/** A dispute, a row that nobody else writes, and a PSP that answers as told; each call in its order. */
function acceptWorld(told: {
  /** As it is read, each time; the last one stays. */
  readonly disputes?: readonly (DisputeDetail | undefined)[];
  readonly found?: StageAnswer;
  readonly accept?: EvidenceResult;
  readonly record?: AcceptanceRecord;
}) {
  const { disputes = [open], found } = told;
  const done: string[] = [];
  const noted: Date[] = [];
  let reads = 0;
  let row = found;
  const deps: Partial<AcceptDeps> = {
    clock: { now: () => now },
    inFlightMs: 40_000,
    disputes: {
      async show() {
        reads += 1;
        return disputes[Math.min(reads, disputes.length) - 1];
      },
    },
    submissions: {
      find: async () => row,
      latest: async () => row,
      step: async () => undefined,
      async stepAcceptance(key, fence, step: AcceptanceStep) {
        done.push(step.state);
        const { state, reason } = step;
        const next: Acceptance = {
          kind: 'acceptance',
          merchantId: key.merchantId,
          disputeId: key.disputeId,
          stage: key.stage,
          psp: key.psp,
          state,
          fence: fence + 1,
          updatedAt: step.at,
          ...(reason !== undefined && { reason }),
        };
        row = next;
        return next;
      },
      findLookUpsDue: async () => [],
      putOffLookUp: async () => undefined,
    },
    findEvidenceGateway: async () => undefined,
    findAcceptanceGateway: async () => ({
      kind: 'api',
      async accept({ attempt }) {
        done.push(`call ${attempt}`);
        return told.accept ?? { kind: 'done' };
      },
      async readAccepted() {
        done.push('read');
        return told.record ?? { kind: 'not_accepted' };
      },
    }),
    async noteAccepted(_dispute, at) {
      done.push('noted');
      noted.push(at);
    },
  };
  return { accept: () => acceptDispute(deps as AcceptDeps, input), done, noted };
}

describe('an acceptance', () => {
  it('commits before its call, and the dispute is told of before the row ends', async () => {
    const world = acceptWorld({});
    expect(await world.accept()).toMatchObject({ kind: 'done', acceptance: { state: 'accepted' } });
    expect(world.done).toEqual(['accepting', 'call chargeback-1', 'noted', 'accepted']);
  });

  it('calls nothing where the dispute has moved on since somebody decided it', async () => {
    const state = { kind: 'dispute', stage: 'arbitration', status: 'needs_response' } as const;
    for (const moved of [{ ...open, state }, undefined]) {
      const world = acceptWorld({ disputes: [open, moved] });
      expect(await world.accept()).toMatchObject({
        kind: 'failed',
        acceptance: { state: 'failed', reason: 'the dispute has changed' },
      });
      expect(world.done).toEqual(['accepting', 'failed']);
    }
  });

  it('is later than what the PSP told before, however far ahead its clock is', async () => {
    const stateAt = new Date(now.getTime() + 3_600_000);
    const world = acceptWorld({ disputes: [{ ...open, stateAt }] });
    await world.accept();
    expect(world.noted).toEqual([new Date(stateAt.getTime() + 1)]);
  });

  it.each([
    [{ kind: 'accepted' }, 'done', ['noted', 'accepted']],
    [{ kind: 'not_accepted' }, 'pending', ['unknown']],
    [{ kind: 'unreadable', reason: 'x' }, 'pending', ['unknown']],
  ] as const)('whose answer was lost is what the record says: %o', async (record, kind, end) => {
    const world = acceptWorld({ accept: { kind: 'lost', reason: 'no answer' }, record });
    expect((await world.accept()).kind).toBe(kind);
    expect(world.done).toEqual(['accepting', 'call chargeback-1', 'read', ...end]);
  });

  it('that failed asks the record before it is called again', async () => {
    const found: Acceptance = {
      ...{ kind: 'acceptance', merchantId: 'mer_1', disputeId: 'dis_1', stage: 'chargeback' },
      ...{ psp: 'stripe', state: 'failed', fence: 4, updatedAt: now },
    };
    const again = acceptWorld({ found });
    await again.accept();
    expect(again.done).toEqual(['read', 'accepting', 'call chargeback-5', 'noted', 'accepted']);
    const arrived = acceptWorld({ found, record: { kind: 'accepted' } });
    await arrived.accept();
    expect(arrived.done).toEqual(['read', 'noted', 'accepted']);
  });
});
