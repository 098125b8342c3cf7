import { Type } from 'typebox';
import type { AnswersApi } from '../../../disputes/answers-api.ts';
import type { Packet } from '../../../disputes/evidence/packet.ts';
import { timelineKinds } from '../../../disputes/evidence/packet-facts.ts';
import { renderForPsp } from '../../../disputes/evidence/renderers/render-for-psp.ts';
import { present } from '../../../domain/present.ts';
import { psps } from '../../../domain/psps.ts';
import { enumField, timeField } from '../../fields.ts';
import { type Answer, jsonAnswer } from '../../server/answer.ts';
import { chooseMediaType } from '../../server/choose-media-type.ts';
import { verdictExample, verdictJson, verdictShape } from './verdict-shape.ts';

/** A packet as JSON. */
export const evidenceShape = Type.Object(
  {
    content_hash: Type.String({
      description: 'SHA-256 over the canonical JSON (RFC 8785) of `content`, in hexadecimal.',
    }),
    verdict: verdictShape,
    content: Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      properties: {
        timeline: Type.Array(
          Type.Object(
            {
              at: timeField('When it happened.'),
              kind: enumField(timelineKinds, 'What kind of thing it is.'),
              words: Type.String({ description: 'What happened.' }),
              reference: Type.Optional(Type.String({ description: 'What it is known by.' })),
            },
            { title: 'EvidenceEvent', additionalProperties: true },
          ),
          { description: 'What happened, the first one first.' },
        ),
        rebuttal: Type.Optional(Type.String({ description: 'The letter to the issuer.' })),
      },
      required: ['timeline'],
      description:
        'The packet, as it is hashed: dispute, charge, priors, verdict, timeline and rebuttal. It holds personal data in clear text.',
    }),
    psp_evidence: Type.Object(
      {
        psp: enumField(psps, 'Whose form it is.'),
        body: Type.Optional(Type.Unknown({ description: 'Absent where it takes the PDF alone.' })),
        left_out: Type.Array(Type.Object({ field: Type.String(), why: Type.String() })),
      },
      { description: 'The packet in the form of its PSP, with what that has no room for.' },
    ),
  },
  { title: 'Evidence' },
);

export const evidenceExample = {
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  verdict: verdictExample,
  content: {
    format: 'recoup-evidence-2',
    merchantName: 'Acme',
    timeline: [
      { at: '2026-06-01T08:59:00.000Z', kind: 'checkout', words: 'The customer checked out.' },
    ],
  },
  psp_evidence: {
    psp: 'stripe' as const,
    body: { customer_purchase_ip: '8.8.4.4' },
    left_out: [
      {
        field: 'enhanced_evidence.visa_compelling_evidence_3',
        why: 'the dispute does not meet Visa Compelling Evidence 3.0',
      },
    ],
  },
};

/** The packet as either API's document shows it: in both its forms, or known already. */
export const evidenceAnswers = {
  200: {
    description: 'The packet.',
    schema: evidenceShape,
    example: evidenceExample,
    otherForms: {
      'application/pdf': Type.Unsafe<Uint8Array>({
        type: 'string',
        format: 'binary',
        description: 'The packet for people, of at most 19 pages.',
        examples: ['%PDF-1.7\n%%EOF\n'],
      }),
    },
    headers: {
      ETag: { type: 'string', description: 'The content hash, with -pdf after it of a PDF.' },
      'Content-Disposition': { type: 'string', description: 'The name of a PDF.' },
    },
  },
  304: Type.Null({ description: 'It is still the one that If-None-Match names.' }),
};

function evidenceJson({ content, contentHash }: Packet): Type.Static<typeof evidenceShape> {
  const { body, leftOut } = renderForPsp(content);
  return {
    content_hash: contentHash,
    verdict: verdictJson(content),
    content,
    psp_evidence: {
      psp: content.dispute.psp,
      left_out: leftOut.map((one) => ({ ...one })),
      ...present({ body }),
    },
  };
}

/** What both APIs say of a form that there is none of. */
export const noFormMessage = 'Evidence comes as application/json or application/pdf.';

/** Which form of the packet a client wants; undefined where it takes neither. */
export function evidenceType(accept: string | undefined) {
  return chooseMediaType(accept, ['application/json', 'application/pdf']);
}

/** The headers of either form: the tag of each is its own, since their bytes differ. */
function evidenceHeaders(
  { content, contentHash }: Packet,
  type: 'application/json' | 'application/pdf',
): Readonly<Record<string, string>> {
  if (type === 'application/json') return { etag: `"${contentHash}"`, vary: 'Accept' };
  const name = `dispute-${content.dispute.id.replaceAll(/[^\w-]/g, '_')}.pdf`;
  return {
    etag: `"${contentHash}-pdf"`,
    vary: 'Accept',
    'content-type': type,
    'content-disposition': `inline; filename="${name}"`,
  };
}

/** Whether an If-None-Match header names a tag (RFC 9110, 13.1.2). */
function matchesTag(ifNoneMatch: string | undefined, etag: string | undefined): boolean {
  if (ifNoneMatch === undefined || etag === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** The packet in the form that was asked for, or 304 to whoever has it already. */
export async function packetAnswer(
  answers: Pick<AnswersApi, 'pdf'>,
  asked: {
    readonly packet: Packet;
    readonly type: 'application/json' | 'application/pdf';
    readonly ifNoneMatch: string | undefined;
  },
): Promise<Answer> {
  const { packet, type, ifNoneMatch } = asked;
  const headers = evidenceHeaders(packet, type);
  if (matchesTag(ifNoneMatch, headers.etag)) return { status: 304, body: '', headers };
  // What the packet holds is what was hashed: nothing is left out by a schema.
  if (type === 'application/json') return { ...jsonAnswer(200, evidenceJson(packet)), headers };
  return { status: 200, body: '', bytes: await answers.pdf(packet), headers };
}

/** What both APIs say where the amount is not known. */
export const noAmountMessage =
  'The amount in dispute is not known, so that there is no packet. Report it with POST /v1/disputes.';
