import { describe, expect, test } from 'vitest';
import type { AttachmentKind } from '../../../../src/disputes/added/attachment.ts';
import { buildPacket } from '../../../../src/disputes/evidence/build-packet.ts';
import type { PacketFacts } from '../../../../src/disputes/evidence/packet-facts.ts';
import { renderAdyen } from '../../../../src/disputes/evidence/renderers/render-adyen.ts';
import { disputedCharge, priorPair } from '../../../kits/dispute-cases.ts';
import { packetFacts } from '../../../kits/packet-cases.ts';

function contentAt(psp: 'adyen', changes: Partial<PacketFacts> = {}) {
  return buildPacket(
    packetFacts({ disputed: disputedCharge({ psp }), candidates: priorPair({ psp }), ...changes }),
  ).content;
}

describe('Adyen', () => {
  const document = (code: string, requirementLevel = 'Required', available = false) => ({
    defenseDocumentTypeCode: code,
    requirementLevel,
    available,
  });
  const reason = (code: string, ...defenseDocumentTypes: ReturnType<typeof document>[]) => ({
    defenseReasonCode: code,
    defenseDocumentTypes,
  });
  const offered = [
    reason('TwoPapers', document('A'), document('B')),
    reason('General', document('DefenseMaterial')),
    reason(
      'CompellingEvidence',
      document('Compelling', 'OneOrMore'),
      document('Other', 'Optional'),
    ),
  ];
  const ineligible = contentAt('adyen', { candidates: [] });
  const withFiles = (...kinds: AttachmentKind[]) => ({
    ...ineligible,
    attachments: kinds.map((kind, at) => ({
      kind,
      name: 'x.pdf',
      mediaType: 'application/pdf' as const,
      bytes: 1_000,
      sha256: String(at),
    })),
  });
  /** What each type of document gets: the packet, or the kind of a file. */
  const given = ({ body }: ReturnType<typeof renderAdyen>) =>
    body?.documents.map(({ defenseDocumentTypeCode: code, content }) => [
      code,
      content === 'packet_pdf' ? content : content.attachment.kind,
    ]);

  test('is defended with the compelling evidence that it offers', () => {
    const { body, leftOut } = renderAdyen(contentAt('adyen'), offered);
    expect(body).toEqual({
      defenseReasonCode: 'CompellingEvidence',
      documents: [{ defenseDocumentTypeCode: 'Compelling', content: 'packet_pdf' }],
    });
    expect(leftOut).toEqual([{ field: 'TwoPapers', why: 'it requires B' }]);
  });

  test('is defended in the ordinary way where the verdict is not eligible', () => {
    expect(renderAdyen(ineligible, offered).body?.defenseReasonCode).toBe('General');
  });

  test('is not defended where it offers nothing that fits', () => {
    const { body, leftOut } = renderAdyen(contentAt('adyen'), offered.slice(0, 1));
    expect(body).toBeUndefined();
    expect(leftOut.at(-1)?.field).toBe('defenseReasonCode');
  });

  test('gets a file as the document that a reason requires, and says of which kind it has to be', () => {
    const described = reason(
      'GoodsWereAsDescribed',
      document('GoodsWereAsDescribed'),
      document('TIDorInvoice'),
    );
    expect(renderAdyen(ineligible, [described]).leftOut[0]).toEqual({
      field: 'GoodsWereAsDescribed',
      why: 'it requires TIDorInvoice (a file of the kind receipt)',
    });
    expect(given(renderAdyen(withFiles('receipt'), [described]))).toEqual([
      ['GoodsWereAsDescribed', 'packet_pdf'],
      ['TIDorInvoice', 'receipt'],
    ]);
  });

  test('gets the packet where it leaves the files their own documents', () => {
    const provided = reason(
      'GoodsOrServicesProvided',
      document('ProofOfGoodsOrServicesProvided'),
      document('DefenseMaterial', 'Optional'),
    );
    expect(given(renderAdyen(ineligible, [provided]))).toEqual([
      ['ProofOfGoodsOrServicesProvided', 'packet_pdf'],
    ]);
    expect(given(renderAdyen(withFiles('service_documentation'), [provided]))).toEqual([
      ['DefenseMaterial', 'packet_pdf'],
      ['ProofOfGoodsOrServicesProvided', 'service_documentation'],
    ]);
  });

  test('is asked for the reason that has documents of their own for the most files', () => {
    const plain = reason(
      'SupplyDefenseMaterial',
      document('DefenseMaterial'),
      document('AlternativeDefenseMaterial', 'AlternativeRequired'),
    );
    const invoice = reason(
      'Invoice',
      document('DefenseMaterial'),
      document('TIDorInvoice', 'Optional'),
    );
    const chosen = (content: Parameters<typeof renderAdyen>[0]) =>
      renderAdyen(content, [plain, invoice]).body?.defenseReasonCode;
    expect([
      chosen(ineligible),
      chosen(withFiles('receipt')),
      chosen(withFiles('contract')),
    ]).toEqual(['SupplyDefenseMaterial', 'Invoice', 'SupplyDefenseMaterial']);
  });

  test('is asked for the reason that takes the packet as it is, before those that claim more', () => {
    // In the order of the sample of Adyen's specification.
    const published = [
      reason(
        'GoodsNotReturned',
        document('TIDorInvoice', 'Optional'),
        document('GoodsNotReturned'),
      ),
      reason(
        'SupplyDefenseMaterial',
        document('TIDorInvoice', 'Optional'),
        document('DefenseMaterial'),
      ),
    ];
    for (const content of [ineligible, withFiles('receipt')]) {
      expect(renderAdyen(content, published).body?.defenseReasonCode).toBe('SupplyDefenseMaterial');
    }
  });

  test('is not defended by a reason without a document for a file', () => {
    const { body, leftOut } = renderAdyen(withFiles('receipt', 'contract'), [
      reason('Invoice', document('DefenseMaterial'), document('TIDorInvoice', 'Optional')),
    ]);
    expect(body).toBeUndefined();
    expect(leftOut[0]).toEqual({
      field: 'Invoice',
      why: 'it has no document for attachment 2 (contract)',
    });
  });

  test('counts what others laid there, and not what we did', () => {
    const flight = [
      reason('Airline', document('DefenseMaterial'), document('FlightTicket', 'Required', true)),
    ];
    expect(given(renderAdyen(ineligible, flight))).toEqual([['DefenseMaterial', 'packet_pdf']]);
    expect(renderAdyen(ineligible, flight, new Set(['FlightTicket'])).body).toBeUndefined();
  });

  test('needs one of the documents of which one is enough', () => {
    const oneOf = reason(
      'Airline',
      document('CompellingEvidence'),
      document('FlightTicket', 'OneOrMore'),
      document('TIDorInvoice', 'OneOrMore'),
    );
    expect(renderAdyen(ineligible, [oneOf]).leftOut[0]?.why).toBe(
      'it requires one of FlightTicket, TIDorInvoice (a file of the kind receipt)',
    );
    expect(given(renderAdyen(withFiles('receipt'), [oneOf]))).toEqual([
      ['CompellingEvidence', 'packet_pdf'],
      ['TIDorInvoice', 'receipt'],
    ]);
  });
});
