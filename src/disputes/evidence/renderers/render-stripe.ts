import {
  type ElementName,
  elementLabels,
  type ShippingAddress,
} from '../../../domain/disputes/ce3/elements.ts';
import { charactersIn } from '../../added/rebuttal.ts';
import type { PacketCharge, PacketContent } from '../packet.ts';
import { attachmentsThatGo } from './attachment-places.ts';
import { onlyElements, unequalElements } from './matching-elements.ts';
import { addressText, eventText, summaryText, withoutCe3 } from './packet-texts.ts';
import { type Notes, type Rendered, takeNotes } from './rendered.ts';

/** All texts of Stripe's evidence together. Source: Stripe, dispute object, evidence. */
export const stripeTotalLimit = 150_000;
/** Each of the longer texts. Source: Stripe, dispute evidence fields. */
export const stripeTextLimit = 20_000;

interface StripeCharge {
  readonly customer_account_id?: string;
  readonly customer_device_fingerprint?: string;
  readonly customer_device_id?: string;
  readonly customer_email_address?: string;
  readonly customer_purchase_ip?: string;
  readonly product_description?: string;
  readonly shipping_address?: Readonly<Record<string, string>>;
}

export interface StripeEvidence {
  readonly access_activity_log?: string;
  readonly customer_email_address?: string;
  readonly customer_name?: string;
  readonly customer_purchase_ip?: string;
  readonly product_description?: string;
  readonly service_date?: string;
  readonly shipping_address?: string;
  readonly uncategorized_text?: string;
  readonly enhanced_evidence?: {
    readonly visa_compelling_evidence_3: {
      readonly disputed_transaction: StripeCharge & {
        readonly merchandise_or_services?: 'merchandise' | 'services';
      };
      readonly prior_undisputed_transactions: readonly (StripeCharge & {
        readonly charge: string;
      })[];
    };
  };
}

/**
 * `evidence` of Stripe's dispute update. The ordinary fields are filled too: where CE3.0 does not
 * qualify in the end, Stripe answers with them. The enhanced ones hold the elements that are equal
 * alone: the others would prove nothing. A rebuttal goes whole, before anything else; texts give way in the
 * order log, summary, description, until all fit together.
 */
export function renderStripe(content: PacketContent): Rendered<StripeEvidence> {
  const notes = takeNotes();
  attachmentsThatGo(content, notes);
  const enhanced = enhancedEvidence(content, notes);
  const { charge, customer, providedAt } = content;
  const { ip, email, shippingAddress } = charge.elements;
  const fixed: StripeEvidence = {
    ...given('customer_name', customer.name),
    ...given('customer_email_address', email),
    ...given('customer_purchase_ip', ip),
    ...given('service_date', providedAt?.slice(0, 10)),
    ...given('shipping_address', shippingAddress && addressText(shippingAddress)),
    ...(enhanced && { enhanced_evidence: { visa_compelling_evidence_3: enhanced } }),
  };
  let left = stripeTotalLimit - charactersOf(fixed);
  const text = (field: string, value: string): string | undefined => {
    if (value === '') return undefined;
    if (left < 100) return notes.without(field, 'no room in the 150,000 characters of all texts');
    const cut = notes.cut(field, value, Math.min(stripeTextLimit, left));
    left -= cut.length;
    return cut;
  };
  const letter = letterOf(content, notes);
  left -= letter?.length ?? 0;
  const description = text('product_description', charge.productDescription ?? '');
  const summary = letter ?? text('uncategorized_text', summaryText(content));
  const log = text('access_activity_log', content.timeline.map(eventText).join('\n'));
  const body: StripeEvidence = {
    ...fixed,
    ...given('product_description', description),
    ...given('uncategorized_text', summary),
    ...given('access_activity_log', log),
  };
  return { body, leftOut: notes.leftOut };
}

/** The rebuttal, whole, and the summary behind it where both fit. It has at most the field's characters. */
function letterOf(content: PacketContent, notes: Notes): string | undefined {
  const { rebuttal } = content;
  if (rebuttal === undefined) return undefined;
  const both = `${rebuttal}\n\n${summaryText(content)}`;
  if (charactersIn(both) <= stripeTextLimit) return both;
  notes.without('summary', 'the rebuttal leaves it no room in uncategorized_text');
  return rebuttal;
}

type Enhanced = NonNullable<StripeEvidence['enhanced_evidence']>['visa_compelling_evidence_3'];

function enhancedEvidence(content: PacketContent, notes: Notes): Enhanced | undefined {
  const { verdict, charge, priors, merchandiseOrServices } = content;
  const field = 'enhanced_evidence.visa_compelling_evidence_3';
  if (verdict.ruleSet.id !== 'visa_ce3' || !verdict.eligible) {
    return notes.without(field, withoutCe3(content));
  }
  const names = verdict.matchingNames;
  unequalElements(charge, names).forEach((name) => {
    notes.without(`${field}: ${elementLabels[name]}`, 'not equal over the charges, or refused');
  });
  return {
    disputed_transaction: {
      ...stripeCharge(charge, names, 'disputed_transaction', notes),
      ...(merchandiseOrServices && { merchandise_or_services: merchandiseOrServices }),
    },
    prior_undisputed_transactions: priors.map((prior, index) => ({
      charge: prior.id,
      ...stripeCharge(prior, names, `prior_undisputed_transactions[${index}]`, notes),
    })),
  };
}

function stripeCharge(
  charge: PacketCharge,
  names: readonly ElementName[],
  where: string,
  notes: Notes,
): StripeCharge {
  const { login, deviceFingerprint, deviceId, email, ip, shippingAddress } = onlyElements(
    charge,
    names,
  );
  const description = charge.productDescription;
  return {
    ...given('customer_account_id', login),
    ...given('customer_device_fingerprint', deviceFingerprint),
    ...given('customer_device_id', deviceId),
    ...given('customer_email_address', email),
    ...given('customer_purchase_ip', ip),
    ...given(
      'product_description',
      description && notes.cut(`${where}.product_description`, description, stripeTextLimit),
    ),
    ...(shippingAddress && { shipping_address: stripeAddress(shippingAddress) }),
  };
}

function stripeAddress(address: ShippingAddress): Readonly<Record<string, string>> {
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    line1,
    ...given('line2', line2),
    city,
    ...given('state', state),
    postal_code: postalCode,
    country,
  };
}

/** The member, or no member where there is nothing to say. */
function given<Name extends string>(
  name: Name,
  value: string | undefined,
): { readonly [Key in Name]?: string } {
  return value === undefined || value === ''
    ? {}
    : ({ [name]: value } as { [Key in Name]: string });
}

/** The characters of every text in a value. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + charactersOf(part), 0);
}
