import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AttachmentKind } from '../../../src/disputes/added/attachment.ts';
import { buildPacket, hashOf } from '../../../src/disputes/evidence/build-packet.ts';
import type { BraintreeClient } from '../../../src/psp/braintree/client.ts';
import { createBraintreeEvidence } from '../../../src/psp/braintree/evidence.ts';
import { disputedCharge, priorPair } from '../../kits/dispute-cases.ts';
import { packetFacts } from '../../kits/packet-cases.ts';
import { generalOnly } from '../../kits/psps/braintree-disputes.ts';
import { describeEvidence } from '../evidence-conformance.ts';
import { braintreeServer, gatewayTo } from './braintree-kit.ts';

describeEvidence(
  'Braintree',
  async () => {
    const server = await braintreeServer();
    const account = gatewayTo(server.url, server.credentials);
    return { account, disputes: server.disputes, hasRecord: true };
  },
  'offered',
  { files: 'braintree' },
);

describe('a file for Braintree', () => {
  const of = (kind: AttachmentKind, bytes: Buffer) => ({
    kind,
    name: 'x.pdf',
    mediaType: 'application/pdf' as const,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  const pdf = Buffer.from('%PDF-1.7\nx\n%%EOF\n');

  async function stageOne(
    pspDisputeId: string,
    changes: { readonly reference?: string; readonly removedFiles?: readonly string[] } = {},
    before: readonly object[] = [],
  ) {
    const server = await braintreeServer();
    const { evidence } = gatewayTo(server.url, server.credentials);
    if (evidence.kind !== 'api' || typeof evidence.stage !== 'function') throw new Error('no API');
    const dispute = server.disputes.open(pspDisputeId);
    dispute.staged.push(...before);
    const { reference, removedFiles = [] } = changes;
    const file = of('shipping_documentation', pdf);
    const isRemoved = removedFiles.length > 0;
    const all = { psp: 'braintree' as const };
    const { content } = buildPacket(
      packetFacts({ disputed: disputedCharge(all), candidates: priorPair(all) }),
    );
    const changed = { ...content, attachments: isRemoved ? [] : [file] };
    const kept: string[] = [];
    const result = await evidence.stage({
      pspDisputeId,
      attempt: 'chargeback-1',
      packet: { content: changed, contentHash: hashOf(changed) },
      pdf: async () => new Uint8Array(),
      removedFiles,
      files: [
        {
          sha256: file.sha256,
          mediaType: file.mediaType,
          ...(reference !== undefined && { reference }),
          bytes: async () => pdf,
          keep: async (name) => void kept.push(name),
        },
      ],
    });
    const lie = dispute.staged.filter((piece) => 'document_upload_id' in (piece as object));
    return { result, lie, kept, server };
  }

  const byHand = { id: 'hand1', document_upload_id: 'file_9', category: 'PROOF_OF_DELIVERY' };

  it('is sent as the SDK writes it, from memory', async () => {
    const { result, server } = await stageOne('bt_1');
    expect(result).toEqual({ kind: 'done' });
    expect(server.disputes.files).toEqual([
      {
        id: 'file_1',
        name: 'shipping_documentation_1.pdf',
        contentType: 'application/pdf',
        bytes: pdf,
      },
    ]);
  });

  it('goes as a general one where the reason of the dispute takes no category', async () => {
    const { result, lie, kept } = await stageOne(`bt_1${generalOnly}`);
    expect(result).toEqual({ kind: 'done' });
    expect(lie).toMatchObject([{ document_upload_id: 'file_1', category: 'GENERAL' }]);
    expect(kept.at(-1)).toMatch(/^file_1:evidence\d+$/);
  });

  it('that was being added is found by what lies there, and not added again', async () => {
    const reference = 'file_9/PROOF_OF_DELIVERY/0';
    const { result, lie, kept, server } = await stageOne('bt_1', { reference }, [byHand]);
    expect(result).toEqual({ kind: 'done' });
    expect([lie, kept, server.disputes.files]).toEqual([[byHand], ['file_9:hand1'], []]);
  });

  it('that was being added beside one of others is added, since theirs alone lies there', async () => {
    const reference = 'file_9/GENERAL/1';
    const general = { ...byHand, category: 'GENERAL' };
    const { result, kept } = await stageOne('bt_1', { reference }, [general]);
    // The document is not known to this server: it was asked to add it.
    expect(result).toMatchObject({ kind: 'failed', reason: expect.stringContaining('95703') });
    expect(kept.at(-1)).toBe('file_9');
  });

  it.each([
    ['lies there', 'file_9:hand1'],
    ['was being added', 'file_9/PROOF_OF_DELIVERY/0'],
  ])('that %s and was taken away here is removed there', async (_what, reference) => {
    const { result, lie } = await stageOne('bt_1', { removedFiles: [reference] }, [byHand]);
    expect([result, lie]).toEqual([{ kind: 'done' }, []]);
  });

  it('of others stays, whatever was taken away here', async () => {
    const { lie } = await stageOne('bt_1', { removedFiles: ['file_8', 'file_8:hand0'] }, [byHand]);
    expect(lie).toEqual([byHand]);
  });
});

describe('a text for Braintree', () => {
  it('is told in words where the reason of the dispute does not have its category, once', async () => {
    const server = await braintreeServer();
    const { evidence } = gatewayTo(server.url, server.credentials);
    if (evidence.kind !== 'api' || typeof evidence.stage !== 'function') throw new Error('no API');
    const pspDisputeId = `bt_1${generalOnly}`;
    const { staged } = server.disputes.open(pspDisputeId);
    const all = { psp: 'braintree' as const };
    const packet = buildPacket(
      packetFacts({
        disputed: disputedCharge(all),
        candidates: priorPair({ ...all, arn: '74537604221222100000001' }),
      }),
    );
    const pdf = async () => new Uint8Array();
    const request = { pspDisputeId, attempt: 'chargeback-1', packet, pdf };
    expect(await evidence.stage(request)).toEqual({ kind: 'done' });
    const pieces = staged as { readonly category?: string; readonly comments?: string }[];
    expect(new Set(pieces.map(({ category }) => category))).toEqual(new Set(['GENERAL']));
    const words = pieces.at(-1)?.comments?.split('\n');
    expect(words).toContain(`Purchaser IP address: ${packet.content.charge.elements.ip}`);
    expect(words).toContain('Prior non disputed transaction 2, ARN: 74537604221222100000001');
    const before = pieces.length;
    expect(await evidence.stage(request)).toEqual({ kind: 'done' });
    expect(pieces).toHaveLength(before);
  });

  it('is told in words where another one lies there in its category', async () => {
    const added: string[] = [];
    const client = {
      stagingDeadline: () => new AbortController().signal,
      dispute: async () => ({ kind: 'answered', value: { success: true, dispute: {} } }),
      addTextEvidence: async (_id: string, { category }: { readonly category: string }) => {
        const isTaken = category === 'PURCHASER_IP_ADDRESS';
        if (!isTaken) added.push(category);
        const errors = { deepErrors: () => [{ code: '95714' }] };
        return {
          kind: 'answered',
          value: isTaken ? { success: false, errors } : { success: true },
        };
      },
    } as unknown as BraintreeClient;
    const { stage } = createBraintreeEvidence(client);
    if (typeof stage !== 'function') throw new Error('no staging');
    const packet = buildPacket(packetFacts({ disputed: disputedCharge({ psp: 'braintree' }) }));
    const pdf = async () => new Uint8Array();
    const request = { pspDisputeId: 'bt_1', attempt: 'chargeback-1', packet, pdf };
    expect(await stage(request)).toEqual({ kind: 'done' });
    expect(added.at(-1)).toBe('GENERAL');
  });
});

it('what takes too long ends between two pieces, and nothing further is added', async () => {
  const asked: string[] = [];
  const client = {
    stagingDeadline: () => AbortSignal.abort(),
    dispute: async () => ({ kind: 'answered', value: { success: true, dispute: {} } }),
    addTextEvidence: async () => asked.push('text'),
    uploadDocument: async () => asked.push('file'),
  } as unknown as BraintreeClient;
  const { stage } = createBraintreeEvidence(client);
  if (typeof stage !== 'function') throw new Error('no staging');
  const packet = buildPacket(packetFacts());
  const pdf = async () => new Uint8Array();
  const result = await stage({ pspDisputeId: 'bt_1', attempt: 'chargeback-1', packet, pdf });
  expect(result).toEqual({ kind: 'failed', reason: expect.stringContaining('Try again') });
  expect(asked).toEqual([]);
});
