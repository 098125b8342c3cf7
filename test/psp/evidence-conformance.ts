import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  AttachedFile,
  AttachmentKind,
  AttachmentType,
} from '../../src/disputes/added/attachment.ts';
import { buildPacket, hashOf } from '../../src/disputes/evidence/build-packet.ts';
import type { EvidenceFile } from '../../src/disputes/submission/evidence-file.ts';
import type {
  EvidenceApi,
  EvidenceRequest,
} from '../../src/disputes/submission/evidence-gateway.ts';
import type { Psp } from '../../src/domain/psps.ts';
import type { PspAccount } from '../../src/psp/adapter.ts';
import { disputedCharge, priorPair } from '../kits/dispute-cases.ts';
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

/** A receipt and a contract, in bytes that no text holds, and what was kept of their names. */
function someFiles() {
  const kept: string[] = [];
  const opened: string[] = [];
  const all = [
    fileOf(
      'receipt',
      'application/pdf',
      Buffer.from('%PDF-1.7\r\n--x\r\n\0\xff\xfe%%EOF', 'latin1'),
    ),
    fileOf('contract', 'image/png', Buffer.from('\x89PNG\r\n\x1a\n\0\x80IEND', 'latin1')),
  ];
  const files = (references: readonly string[] = []): readonly EvidenceFile[] =>
    all.map(({ attached: { sha256, mediaType }, bytes }, at) => ({
      sha256,
      mediaType,
      ...(references[at] !== undefined && { reference: references[at] }),
      bytes: async () => {
        opened.push(sha256);
        return bytes;
      },
      keep: async (reference) => void kept.push(reference),
    }));
  const attachments = all.map(({ attached }) => attached);
  return { all, files, attachments, kept, opened };
}

function fileOf(kind: AttachmentKind, mediaType: AttachmentType, bytes: Buffer) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { attached: { kind, name: 'x', mediaType, bytes: bytes.length, sha256 }, bytes };
}

/** What every PSP that takes answers to disputes must do. */
export function describeEvidence(
  name: string,
  start: () => Promise<EvidenceUnderTest>,
  staging: Staging = 'offered',
  takes: { readonly files?: Psp } = {},
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
      disputes.files.length = 0;
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

    describe.runIf(takes.files !== undefined)('with files that a person added', () => {
      const psp = takes.files ?? 'stripe';
      const { content } = buildPacket(
        packetFacts({ disputed: disputedCharge({ psp }), candidates: priorPair({ psp }) }),
      );
      async function send(given: Partial<EvidenceRequest>, attachments: readonly AttachedFile[]) {
        const changed = { ...content, attachments };
        const packet = { content: changed, contentHash: hashOf(changed) };
        const request = { ...requestOf('dsp_1'), packet, ...given };
        return typeof api.stage === 'function' ? api.stage(request) : api.submit(request);
      }
      const others = () => disputes.files.filter(({ name }) => name !== 'evidence.pdf');
      const hashOfBytes = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

      it('byte for byte, each once, under a name that tells of nobody', async () => {
        const { all, files, attachments } = someFiles();
        expect((await send({ files: files() }, attachments)).kind).toBe('done');
        expect(others().map(({ bytes }) => hashOfBytes(bytes))).toEqual(
          all.map(({ attached }) => attached.sha256),
        );
        expect(others().map(({ contentType }) => contentType)).toEqual([
          'application/pdf',
          'image/png',
        ]);
        expect(others().map(({ name }) => name)).toEqual(['receipt_1.pdf', 'contract_2.png']);
      });

      it('which are beside the dispute, each in its field', async () => {
        const { files, attachments } = someFiles();
        await send({ files: files() }, attachments);
        const lies = JSON.stringify(dispute.staged);
        const named =
          staging === 'none' ? others().map(({ name }) => name) : others().map(({ id }) => id);
        for (const one of named) expect(lies).toContain(one);
      });

      it.runIf(staging === 'offered')('and are not uploaded again', async () => {
        const { files, attachments, kept, opened } = someFiles();
        await send({ files: files() }, attachments);
        expect(kept).toEqual(others().map(({ id }) => id));
        const uploads = others().length;
        expect((await send({ files: files(kept) }, attachments)).kind).toBe('done');
        expect([others().length, opened.length]).toEqual([uploads, uploads]);
      });

      it('one of which it refuses: it failed, and nothing was sent on', async () => {
        const { files, attachments } = someFiles();
        disputes.refuseNextFile();
        const result = await send({ files: files() }, attachments);
        expect(result).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/400|422/) });
        expect(dispute.submissions).toBe(0);
      });

      it('one of which was taken away meanwhile: it failed, and says so', async () => {
        const { files, attachments } = someFiles();
        const gone = files().map((file) => ({ ...file, bytes: async () => undefined }));
        expect(await send({ files: gone }, attachments)).toMatchObject({
          kind: 'failed',
          reason: expect.stringContaining('was removed'),
        });
        expect(dispute.submissions).toBe(0);
      });
    });

    it('of a dispute that the PSP does not know: refused', async () => {
      const unknown = requestOf('dsp_of_nobody');
      const result = await (staging === 'none' ? api.submit(unknown) : stage('dsp_of_nobody'));
      expect(result.kind).toBe('failed');
      expect((await api.readSubmitted('dsp_of_nobody')).kind).toBe('unreadable');
    });
  });
}
