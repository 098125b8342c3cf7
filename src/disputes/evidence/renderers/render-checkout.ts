import { elementLabels } from '../../../domain/disputes/ce3/elements.ts';
import { present } from '../../../domain/present.ts';
import type { PacketContent } from '../packet.ts';
import { attachmentsThatGo } from './attachment-places.ts';
import { onlyElements, unequalElements } from './matching-elements.ts';
import { withoutCe3 } from './packet-texts.ts';
import { type Notes, type Rendered, takeNotes } from './rendered.ts';

export interface CheckoutEvidence {
  readonly compelling_evidence: {
    readonly merchandise_or_service: 'Merchandise' | 'Services';
    readonly merchandise_or_service_desc: string;
    /** RFC 3339. */
    readonly merchandise_or_service_provided_date: string;
    readonly user_id?: string;
    readonly ip_address?: string;
    readonly device_id?: string;
    readonly shipping_address?: Readonly<Record<string, string>>;
    readonly historical_transactions: readonly {
      readonly historical_arn: string;
      readonly merchandise_or_service_desc: string;
    }[];
  };
}

const field = 'compelling_evidence';
const maxDescription = 5_000;

/**
 * `compelling_evidence` of Checkout.com; undefined where one of its required members is unknown, as
 * the whole is refused then. Source: Checkout.com, provide dispute evidence; checkout-sdk-net,
 * CompellingEvidence. It holds the elements that are equal alone, whose lengths the rules have
 * judged: a login of up to 50 characters, a device id of 15 to 64. Checkout.com has no fields for e-mails and timelines: the PDF tells of them.
 */
export function renderCheckout(content: PacketContent): Rendered<CheckoutEvidence | undefined> {
  const notes = takeNotes();
  attachmentsThatGo(content, notes);
  const body = evidenceOf(content, notes);
  if (content.timeline.length > 0) notes.without('timeline', 'no field: the PDF holds it');
  if (content.rebuttal !== undefined) notes.without('rebuttal', 'no field: the PDF holds it');
  return { body, leftOut: notes.leftOut };
}

function evidenceOf(content: PacketContent, notes: Notes): CheckoutEvidence | undefined {
  const { charge, priors, merchandiseOrServices, providedAt, verdict } = content;
  if (verdict.ruleSet.id !== 'visa_ce3' || !verdict.eligible) {
    return notes.without(field, withoutCe3(content));
  }
  if (providedAt === undefined || merchandiseOrServices === undefined) {
    return notes.without(field, 'it has to say what was provided, and when');
  }
  const names = verdict.matchingNames;
  for (const name of unequalElements(charge, names)) {
    notes.without(elementLabels[name], 'not equal over the charges, refused, or without a field');
  }
  const { ip, deviceId, shippingAddress } = onlyElements(charge, names);
  const { login, email } = charge.elements;
  return {
    compelling_evidence: {
      merchandise_or_service: merchandiseOrServices === 'services' ? 'Services' : 'Merchandise',
      merchandise_or_service_desc: described(charge.productDescription, charge.id, notes),
      merchandise_or_service_provided_date: providedAt,
      ...(names.includes('login') && { user_id: login ?? email ?? '' }),
      ...present({ ip_address: ip, device_id: deviceId }),
      ...addressOf(shippingAddress),
      historical_transactions: priors.map((prior) => ({
        historical_arn: prior.arn ?? '',
        merchandise_or_service_desc: described(prior.productDescription, prior.id, notes),
      })),
    },
  };
}

function described(description: string | undefined, id: string, notes: Notes): string {
  return notes.cut(`description of ${id}`, description ?? '', maxDescription);
}

function addressOf(
  address: PacketContent['charge']['elements']['shippingAddress'],
): Pick<CheckoutEvidence['compelling_evidence'], 'shipping_address'> {
  if (address === undefined) return {};
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    shipping_address: {
      address: line1,
      ...present({ address2: line2 }),
      city,
      ...present({ state_region: state }),
      postal_code: postalCode,
      country,
    },
  };
}
