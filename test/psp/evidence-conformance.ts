import { beforeEach, describe, expect, it } from 'vitest';
import { buildPacket } from '../../src/disputes/evidence/build-packet.ts';
import type { EvidenceApi } from '../../src/disputes/submission/evidence-gateway.ts';
import type { PspAccount } from '../../src/psp/adapter.ts';
import { packetFacts } from '../kits/packet-cases.ts';
import type { TestDispute, TestDisputes } from '../kits/psps/test-disputes.ts';

/** An account, and the disputes of the server that it is at. */
export interface EvidenceUnderTest {
  readonly account: PspAccount;
  readonly disputes: TestDisputes;
  /** Whether the PSP's own record says that an answer was sent on. */
  readonly hasRecord: boolean;
}

/** `none`: what the PSP is sent counts at once. */
type Staging = 'offered' | 'none';

const pdf = async () => new TextEncoder().encode('%PDF-1.7 a document');

/** What every PSP that takes answers to disputes must do. */
export function describeEvidence(
  name: string,
  start: () => Promise<EvidenceUnderTest>,
  staging: Staging = 'offered',
): void {
  describe(`${name} takes the answer to a dispute`, () => {
    let api: EvidenceApi;
    let disputes: TestDisputes;
    let dispute: TestDispute;
    let hasRecord: boolean;
    const packet = buildPacket(packetFacts());
    let attempt = 0;
    const requestOf = (pspDisputeId: string) => {
      attempt += 1;
      return { pspDisputeId, attempt: `chargeback-${attempt}`, packet, pdf };
    };

    beforeEach(async () => {
      const under = await start();
      ({ disputes, hasRecord } = under);
      const { evidence } = under.account;
      if (evidence.kind !== 'api') throw new Error(`${name} takes no answers`);
      api = evidence;
      dispute = disputes.open('dsp_1');
    });

    async function stage(pspDisputeId: string) {
      if (typeof api.stage !== 'function') throw new Error(api.stage.reason);
      return api.stage(requestOf(pspDisputeId));
    }

    async function staged() {
      if (staging === 'none') return requestOf('dsp_1');
      const result = await stage('dsp_1');
      if (result.kind !== 'done') throw new Error(result.reason);
      const { reference } = result;
      return { ...requestOf('dsp_1'), ...(reference !== undefined && { reference }) };
    }

    it.runIf(staging === 'none')('at once: it has no staging, and says so', async () => {
      expect(api.stage).toMatchObject({ kind: 'not_offered', reason: expect.stringMatching(/./) });
      expect((await api.readSubmitted('dsp_1')).kind).toBe('not_submitted');
    });

    it.runIf(staging === 'offered')('staged, and not sent on', async () => {
      await staged();
      expect(dispute.staged.length).toBeGreaterThan(0);
      expect(dispute.submissions).toBe(0);
      expect((await api.readSubmitted('dsp_1')).kind).toBe(
        hasRecord ? 'not_submitted' : 'unreadable',
      );
    });

    it.runIf(staging === 'offered')('staged again without lying there twice', async () => {
      await staged();
      const { length } = dispute.staged;
      await staged();
      expect(dispute.staged).toHaveLength(length);
    });

    it('then sent on, once', async () => {
      expect(await api.submit(await staged())).toEqual({ kind: 'done' });
      expect(dispute.submissions).toBe(1);
      expect((await api.readSubmitted('dsp_1')).kind).toBe(hasRecord ? 'submitted' : 'unreadable');
    });

    it('refused: nothing has changed', async () => {
      if (staging === 'offered') {
        disputes.failNext('refused');
        expect((await stage('dsp_1')).kind).toBe('failed');
      }
      const answer = await staged();
      disputes.failNext('refused');
      expect((await api.submit(answer)).kind).toBe('failed');
      expect(dispute.submissions).toBe(0);
    });

    it.each(['lost_before', 'lost_after'] as const)('with its answer %s', async (fault) => {
      const answer = await staged();
      disputes.failNext(fault);
      expect((await api.submit(answer)).kind).toBe('lost');
      const arrived = fault === 'lost_after';
      expect(dispute.submissions).toBe(arrived ? 1 : 0);
      const record = arrived ? 'submitted' : 'not_submitted';
      expect((await api.readSubmitted('dsp_1')).kind).toBe(hasRecord ? record : 'unreadable');
    });

    it('of a dispute that the PSP does not know: refused', async () => {
      const unknown = requestOf('dsp_of_nobody');
      const result = await (staging === 'none' ? api.submit(unknown) : stage('dsp_of_nobody'));
      expect(result.kind).toBe('failed');
      expect((await api.readSubmitted('dsp_of_nobody')).kind).toBe('unreadable');
    });
  });
}
