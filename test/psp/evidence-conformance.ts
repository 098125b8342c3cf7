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

/** A receipt and a contract, of types that every PSP takes, in bytes that no text holds, and what was kept of their names. */
function someFiles() {
  const kept = new Map<string, string>();
  const opened: string[] = [];
  const all = [
    fileOf(
      'receipt',
      'application/pdf',
      Buffer.from('%PDF-1.7\r\n--x\r\n\0\xff\xfe%%EOF', 'latin1'),
    ),
    fileOf('contract', 'image/jpeg', Buffer.from('\xff\xd8\xff\xe0\0\x80\xff\xd9', 'latin1')),
  ];
  /** With what was kept of them so far; the process dies instead of keeping more than `mayKeep` names. */
  const files = (mayKeep = Number.POSITIVE_INFINITY): readonly EvidenceFile[] => {
    let left = mayKeep;
    return all.map(({ attached: { sha256, mediaType }, bytes }) => {
      const reference = kept.get(sha256);
      return {
        sha256,
        mediaType,
        ...(reference !== undefined && { reference }),
        bytes: async () => {
          opened.push(sha256);
          return bytes;
        },
        keep: async (name) => {
          left -= 1;
          if (left < 0) throw new Error('died');
          kept.set(sha256, name);
        },
      };
    });
  };
  const attachments = all.map(({ attached }) => attached);
  return { all, files, attachments, kept, opened };
}

function fileOf(kind: AttachmentKind, mediaType: AttachmentType, bytes: Buffer) {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { attached: { kind, name: 'x', mediaType, bytes: bytes.length, sha256 }, bytes };
}

interface FilesTaken {
  readonly files?: Psp;
  /** Whether the PSP is told a name of each file, and gives each an id. */
  readonly areNamed?: boolean;
}

/** What every PSP that takes answers to disputes must do. */
export function describeEvidence(
  name: string,
  start: () => Promise<EvidenceUnderTest>,
  staging: Staging = 'offered',
  takes: FilesTaken = {},
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
      const { areNamed = true } = takes;
      const hashOfBytes = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
      const hasIds = staging === 'offered' && areNamed;
      /** What came but for the packet's own document. */
      async function others() {
        const own = Buffer.from(await pdf());
        return disputes.files.filter(({ bytes }) => !own.equals(bytes));
      }
      /** How often each file lies beside the dispute, by whatever names it there. */
      async function lying(): Promise<readonly number[]> {
        const text = JSON.stringify(dispute.staged);
        const hashes = someFiles().attachments.map(({ sha256 }) => sha256);
        const came = await others();
        return hashes.map((hash) => {
          const ids = came.filter(({ bytes }) => hashOfBytes(bytes) === hash);
          const names = ids.map((file) => (staging === 'none' ? file.name : file.id));
          return names.reduce((sum, name) => sum + text.split(`"${name}"`).length - 1, 0);
        });
      }

      it('byte for byte, each once', async () => {
        const { all, files, attachments } = someFiles();
        expect(await send({ files: files() }, attachments)).not.toHaveProperty('reason');
        const came = await others();
        expect(came.map(({ bytes }) => hashOfBytes(bytes))).toEqual(
          all.map(({ attached }) => attached.sha256),
        );
        expect(came.map(({ contentType }) => contentType)).toEqual([
          'application/pdf',
          'image/jpeg',
        ]);
      });

      it.runIf(areNamed)('under names that tell of nobody', async () => {
        const { files, attachments } = someFiles();
        await send({ files: files() }, attachments);
        expect((await others()).map(({ name }) => name)).toEqual([
          'receipt_1.pdf',
          'contract_2.jpg',
        ]);
      });

      it('which are beside the dispute, each in its field', async () => {
        const { files, attachments } = someFiles();
        await send({ files: files() }, attachments);
        expect(await lying()).toEqual([1, 1]);
      });

      it.runIf(hasIds)('and are not uploaded again', async () => {
        const { files, attachments, kept, opened } = someFiles();
        await send({ files: files() }, attachments);
        const uploads = (await others()).map(({ id }) => id);
        expect([...kept.values()].map((name) => name.split(/[:/]/)[0])).toEqual(uploads);
        expect(await send({ files: files() }, attachments)).not.toHaveProperty('reason');
        expect([(await others()).length, opened.length]).toEqual([uploads.length, uploads.length]);
      });

      it.runIf(staging === 'offered')('and lie there once, staged how often soever', async () => {
        const { files, attachments } = someFiles();
        const first = await send({ files: files() }, attachments);
        const reference = first.kind === 'done' ? first.reference : undefined;
        const staged = reference === undefined ? {} : { staged: reference };
        expect((await send({ files: files(), ...staged }, attachments)).kind).toBe('done');
        expect(await lying()).toEqual([1, 1]);
      });

      it.runIf(hasIds)(
        'and lie there once, wherever the process died before it noted a name',
        async () => {
          for (let noted = 0; noted < 6; noted += 1) {
            dispute.staged.length = 0;
            const { files, attachments } = someFiles();
            await send({ files: files(noted) }, attachments).catch(() => undefined);
            expect(await send({ files: files() }, attachments)).not.toHaveProperty('reason');
            expect([noted, ...(await lying())]).toEqual([noted, 1, 1]);
          }
        },
      );

      it.runIf(staging === 'offered').each(['lost_before', 'lost_after'] as const)(
        'and lie there once where the answer to a call was %s',
        async (fault) => {
          const { files, attachments } = someFiles();
          await send({ files: files() }, []);
          disputes.failNext(fault);
          expect((await send({ files: files() }, attachments)).kind).toBe('lost');
          expect(await send({ files: files() }, attachments)).not.toHaveProperty('reason');
          expect(await lying()).toEqual([1, 1]);
        },
      );

      it('one of which it refuses: it failed, and nothing was sent on', async () => {
        const { files, attachments } = someFiles();
        disputes.refuseNextFile();
        const result = await send({ files: files() }, attachments);
        expect(result).toMatchObject({ kind: 'failed', reason: expect.stringMatching(/\d{3}/) });
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
