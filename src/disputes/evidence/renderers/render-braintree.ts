import { present } from '../../../domain/present.ts';
import type { PacketCharge, PacketContent } from '../packet.ts';
import { attachmentsThatGo } from './attachment-places.ts';
import { addressText, eventText, summaryText } from './packet-texts.ts';
import { type Notes, type Rendered, takeNotes } from './rendered.ts';

/** One piece of text evidence. Source: Braintree, DisputeTextEvidenceCategory. */
export interface BraintreeEvidence {
  readonly category: string;
  readonly content: string;
  /** Pieces of one prior have the same number, as Braintree's sequence_number joins them. */
  readonly sequenceNumber?: number;
}

/** Ours: Braintree publishes no limit for text evidence, and longer texts belong into the file. */
const braintreeTextLimit = 20_000;

/**
 * Text evidence by Braintree's categories. Each prior is a numbered group with its ARN, its time and an address of its
 * payer: a group without them is refused when the evidence is finalized (errors 95722, 95723 and 95727), and is left out
 * here. The categories of devices are those of downloads, and are refused without the time of one (95720, 95721): the
 * device of a charge is told in words. Source: Braintree, Dispute: Add Text Evidence; validation errors of its SDK.
 */
export function renderBraintree(content: PacketContent): Rendered<readonly BraintreeEvidence[]> {
  const notes = takeNotes();
  attachmentsThatGo(content, notes);
  const { elements } = content.charge;
  const log = content.timeline.map(eventText).join('\n');
  const body = [
    piece('PURCHASER_NAME', content.customer.name),
    piece('PURCHASER_EMAIL_ADDRESS', elements.email),
    piece('PURCHASER_IP_ADDRESS', elements.ip),
    ...content.priors.flatMap((prior, index) => priorPieces(prior, index + 1, notes)),
    ...renewalPieces(content, notes),
    ...content.timeline
      .filter(({ kind }) => kind === 'refund')
      .slice(0, 1)
      .map(({ reference }) => piece('REFUND_ID', reference)),
    // Of at most as many characters: it is never cut.
    piece('GENERAL', content.rebuttal),
    piece('GENERAL', deviceText(elements)),
    piece('GENERAL', notes.cut('GENERAL (summary)', summaryText(content), braintreeTextLimit)),
    piece('GENERAL', notes.cut('GENERAL (timeline)', log, braintreeTextLimit)),
  ].flat();
  if (elements.shippingAddress !== undefined) {
    notes.without('shipping address', 'no category for that of the disputed charge');
  }
  if (elements.login !== undefined) notes.without('login', 'no category');
  return { body, leftOut: notes.leftOut };
}

function priorPieces(
  prior: PacketCharge,
  sequenceNumber: number,
  notes: Notes,
): readonly BraintreeEvidence[] {
  const { arn, processedAt, elements } = prior;
  if (arn === undefined || arn.trim() === '') {
    notes.without(`prior ${prior.id}`, 'Braintree refuses a prior without its ARN (95722)');
    return [];
  }
  const address = elements.shippingAddress;
  const addresses = [
    ['EMAIL_ADDRESS', elements.email],
    ['IP_ADDRESS', elements.ip],
    ['PHYSICAL_ADDRESS', address && addressText(address)],
  ].filter(([, value]) => value !== undefined && value.trim() !== '');
  if (addresses.length === 0) {
    notes.without(
      `prior ${prior.id}`,
      'Braintree refuses a prior without an e-mail, IP or postal address (95727)',
    );
    return [];
  }
  return [['ARN', arn], ['DATE_TIME', processedAt], ['ID', prior.id], ...addresses].flatMap(
    ([name, value]) => piece(`PRIOR_NON_DISPUTED_TRANSACTION_${name}`, value, sequenceNumber),
  );
}

/** `Device of the charge: id device-1, fingerprint f_2.` */
function deviceText({ deviceId, deviceFingerprint }: PacketCharge['elements']): string | undefined {
  const names = [
    ...(deviceId === undefined ? [] : [`id ${deviceId}`]),
    ...(deviceFingerprint === undefined ? [] : [`fingerprint ${deviceFingerprint}`]),
  ];
  return names.length === 0 ? undefined : `Device of the charge: ${names.join(', ')}.`;
}

/** A renewal is a recurring transaction: the newest prior shows that it was one of many. */
function renewalPieces(content: PacketContent, notes: Notes): readonly BraintreeEvidence[] {
  if (content.charge.initiatedBy !== 'merchant') return [];
  const earlier = content.priors.find(({ arn }) => arn !== undefined && arn !== '');
  if (earlier === undefined) {
    notes.without('RECURRING_TRANSACTION_ARN', 'no earlier charge with an ARN');
    return [];
  }
  return [
    ...piece('RECURRING_TRANSACTION_ARN', earlier.arn),
    ...piece('RECURRING_TRANSACTION_DATE_TIME', earlier.processedAt),
    ...piece('RECURRING_TRANSACTION_ID', earlier.id),
  ];
}

function piece(
  category: string,
  content: string | undefined,
  sequenceNumber?: number,
): readonly BraintreeEvidence[] {
  if (content === undefined || content.trim() === '') return [];
  return [{ category, content, ...present({ sequenceNumber }) }];
}
