import { beforeEach, describe, expect, it } from 'vitest';
import type { AcceptanceApi } from '../../src/disputes/acceptance/acceptance-gateway.ts';
import type { TestDispute, TestDisputes } from '../kits/psps/test-disputes.ts';
import type { EvidenceUnderTest } from './evidence-conformance.ts';

/** What every PSP at which disputes can be accepted must do. Its own ledger counts. */
export function describeAcceptance(name: string, start: () => Promise<EvidenceUnderTest>): void {
  describe(`${name} lets a dispute be accepted`, () => {
    let api: AcceptanceApi;
    let disputes: TestDisputes;
    let dispute: TestDispute;
    let hasRecord: boolean;
    let attempt = 0;
    const accept = (pspDisputeId = 'dsp_a') => {
      attempt += 1;
      return api.accept({ pspDisputeId, attempt: `chargeback-${attempt}` });
    };
    const record = async () => (await api.readAccepted('dsp_a')).kind;

    beforeEach(async () => {
      const under = await start();
      ({ disputes, hasRecord } = under);
      const { acceptance } = under.account;
      if (acceptance.kind !== 'api') throw new Error(`${name} lets nobody accept`);
      api = acceptance;
      dispute = disputes.open('dsp_a');
    });

    it('for good: its record says so', async () => {
      expect(await record()).toBe(hasRecord ? 'not_accepted' : 'unreadable');
      expect(await accept()).toEqual({ kind: 'done' });
      expect([dispute.acceptances, dispute.submissions]).toEqual([1, 0]);
      expect(await record()).toBe(hasRecord ? 'accepted' : 'unreadable');
    });

    it('once: the second call is refused', async () => {
      await accept();
      expect((await accept()).kind).toBe('failed');
      expect(dispute.acceptances).toBe(1);
    });

    it('not where evidence was sent on', async () => {
      dispute.submissions = 1;
      expect((await accept()).kind).toBe('failed');
      expect(dispute.acceptances).toBe(0);
      expect(await record()).not.toBe('accepted');
    });

    it('or refuses it: nothing has changed', async () => {
      disputes.failNext('refused');
      expect((await accept()).kind).toBe('failed');
      expect(dispute.acceptances).toBe(0);
      expect(await record()).toBe(hasRecord ? 'not_accepted' : 'unreadable');
    });

    it.each(['lost_before', 'lost_after'] as const)('with its answer %s', async (fault) => {
      disputes.failNext(fault);
      expect((await accept()).kind).toBe('lost');
      expect(dispute.acceptCalls).toBe(1);
      const arrived = fault === 'lost_after';
      expect(dispute.acceptances).toBe(arrived ? 1 : 0);
      const said = arrived ? 'accepted' : 'not_accepted';
      expect(await record()).toBe(hasRecord ? said : 'unreadable');
    });

    it('not one that it does not know', async () => {
      expect((await accept('dsp_of_nobody')).kind).toBe('failed');
      expect((await api.readAccepted('dsp_of_nobody')).kind).toBe('unreadable');
    });
  });
}
