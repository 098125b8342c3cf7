import type { PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import type { Accept, RecoveryApi } from '../../recovery/api.ts';
import { type SignCustomerLink, signCustomerLink } from '../../recovery/customers/customer-link.ts';
import {
  noteCustomerOutcome,
  noteCustomerVisit,
  showCustomerLink,
} from '../../recovery/customers/customer-links.ts';
import { createSignedTokens } from '../../recovery/customers/signed-token.ts';
import { createCustomerLinkStore } from '../../store/customers/customer-contacts.ts';
import type { AppContext } from '../context.ts';

/** What signs the links of payments. */
export function linkSigner(context: Pick<AppContext, 'hashCredential'>): SignCustomerLink {
  return signCustomerLink(createSignedTokens(context, 'customer link, v1'));
}

/** What merchants ask and tell of the links of their customers. */
export function createCustomerLinksApi(
  context: Pick<AppContext, 'clock' | 'hashCredential' | 'merchantDatabases'>,
  deps: { acceptUpdate(input: Accept<PaymentMethodUpdateBody>): Promise<unknown> },
): Pick<RecoveryApi, 'showCustomerLink' | 'noteCustomerVisit' | 'noteCustomerOutcome'> {
  const links = {
    ...deps,
    clock: context.clock,
    tokens: createSignedTokens(context, 'customer link, v1'),
    store: createCustomerLinkStore(context.merchantDatabases.served),
  };
  return {
    showCustomerLink: (input) => showCustomerLink(links, input),
    noteCustomerVisit: (input) => noteCustomerVisit(links, input),
    noteCustomerOutcome: (input) => noteCustomerOutcome(links, input),
  };
}
