import { appliesTo } from '../../../domain/disputes/ce3/applies-to.ts';
import { elementLabels, type ShippingAddress } from '../../../domain/disputes/ce3/elements.ts';
import { decimalText, type Money } from '../../../domain/money.ts';
import type { PacketCharge, PacketContent, PacketEvent } from '../packet.ts';

/** `49.00 EUR`. */
export function moneyText(money: Money): string {
  return `${decimalText(money)} ${money.currency}`;
}

/** `2026-06-01 12:00 UTC`, from an ISO instant. */
export function instantText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** One line, as on an envelope. */
export function addressText(address: ShippingAddress): string {
  const { line1, line2, city, state, postalCode, country } = address;
  return [line1, line2, `${postalCode} ${city}`, state, country]
    .filter((part) => part !== undefined && part.trim() !== '')
    .join(', ');
}

/** One event in a line, for activity logs and notes. */
export function eventText(event: PacketEvent): string {
  const { at, kind, words, reference, money, merchantAgreedAt } = event;
  return [
    `${instantText(at)} ${kind.replaceAll('_', ' ')}: ${words}`,
    money && moneyText(money),
    reference,
    merchantAgreedAt && `the merchant agreed at ${instantText(merchantAgreedAt)}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** A charge in a line: when, how much, under which number. */
export function chargeText({ id, processedAt, money, arn }: PacketCharge): string {
  const reference = arn === undefined ? '' : `, ARN ${arn}`;
  return `${id}: ${moneyText(money)} on ${processedAt.slice(0, 10)}${reference}`;
}

/** Why the fields of Visa Compelling Evidence 3.0 stay empty. */
export function withoutCe3({ verdict, dispute }: PacketContent): string {
  const isVisas = verdict.ruleSet.id === 'visa_ce3' && appliesTo(dispute.reason) === 'yes';
  return isVisas
    ? 'the dispute does not meet Visa Compelling Evidence 3.0'
    : 'Visa Compelling Evidence 3.0 is not for this reason, or the reason code is not known';
}

/** What the packet shows, for a field of free text and for the cover. */
export function summaryText(content: PacketContent): string {
  const { charge, priors, verdict, merchantName, timeline } = content;
  const refunds = timeline.filter(({ kind }) => kind === 'refund');
  const lines = [
    `${merchantName}: charge ${chargeText(charge)}.`,
    `What was sold: ${charge.productDescription ?? 'not described'}.`,
    ...refunds.map(({ at, money, reference }) => {
      const sum = money === undefined ? '' : `${moneyText(money)} `;
      return `Refunded: ${sum}on ${at.slice(0, 10)}, refund ${reference}.`;
    }),
  ];
  if (verdict.eligible) {
    const equal = verdict.matching.map((name) => elementLabels[name]).join(', ');
    const caveat = verdict.ruleSet.unconfirmed ? ' (figures not confirmed by the network)' : '';
    lines.push(
      `${verdict.ruleSet.words}${caveat}: two undisputed earlier charges of the same card share ${equal} with it:`,
      ...priors.map((prior) => `- ${chargeText(prior)}`),
    );
  }
  return lines.join('\n');
}
