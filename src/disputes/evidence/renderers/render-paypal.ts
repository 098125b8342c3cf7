import { charactersIn } from '../../added/rebuttal.ts';
import type { PacketContent } from '../packet.ts';
import { attachmentsThatGo } from './attachment-places.ts';
import { chargeText, eventText, summaryText } from './packet-texts.ts';
import { type Notes, type Rendered, takeNotes } from './rendered.ts';

/** One piece of evidence. Source: PayPal, Customer Disputes v1, provide-evidence. */
export interface PaypalEvidence {
  readonly evidence_type: string;
  readonly notes?: string;
  readonly evidence_info?: {
    readonly refund_ids: readonly string[];
  };
}

/** Characters of an evidence's notes. Source: PayPal, Customer Disputes v1, evidence. */
export const paypalNotesLimit = 2_000;

/** The `evidences` of PayPal. The PDF goes along as a document of the first one. */
export function renderPaypal(content: PacketContent): Rendered<readonly PaypalEvidence[]> {
  const notes = takeNotes();
  attachmentsThatGo(content, notes);
  const { charge, priors, timeline, providedAt, merchandiseOrServices } = content;
  const of = (evidenceType: string, text: string): readonly PaypalEvidence[] =>
    text === ''
      ? []
      : [
          {
            evidence_type: evidenceType,
            notes: notes.cut(evidenceType, text, paypalNotesLimit),
          },
        ];
  const refunds = timeline.flatMap(({ kind, reference }) =>
    kind === 'refund' && reference !== undefined ? [reference] : [],
  );
  const isService = merchandiseOrServices === 'services' && providedAt !== undefined;
  const mandate = timeline.filter(({ kind }) => kind === 'checkout' || kind === 'renewal');
  const body = [
    ...of('ORDER_DETAILS', summaryText(content)),
    ...responseOf(content, notes),
    ...(isService
      ? of(
          'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
          `${charge.productDescription ?? 'Service'}: provided on ${providedAt.slice(0, 10)}`,
        )
      : []),
    ...of('LAST_VALID_TRANSACTION_DETAILS', priors.map(chargeText).join('\n')),
    ...(charge.initiatedBy === 'merchant'
      ? of('BILLING_AGREEMENT', mandate.map(eventText).join('\n'))
      : []),
    ...(refunds.length > 0
      ? [{ evidence_type: 'PROOF_OF_REFUND', evidence_info: { refund_ids: refunds } }]
      : []),
    ...of('OTHER', timeline.map(eventText).join('\n')),
  ];
  notes.without('elements of the customer', 'no fields: the PDF compares them');
  return { body, leftOut: notes.leftOut };
}

/** The rebuttal, whole; one that notes do not hold is in the PDF, and the piece says so. */
function responseOf({ rebuttal }: PacketContent, notes: Notes): readonly PaypalEvidence[] {
  if (rebuttal === undefined) return [];
  const type = 'MERCHANT_RESPONSE';
  if (charactersIn(rebuttal) <= paypalNotesLimit) return [{ evidence_type: type, notes: rebuttal }];
  notes.without(type, `longer than ${paypalNotesLimit} characters: the PDF holds it whole`);
  return [
    { evidence_type: type, notes: 'Our statement is in the attached document evidence.pdf.' },
  ];
}
