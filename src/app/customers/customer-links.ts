import type { PaymentMethodUpdateBody } from '../../domain/payment-event.ts';
import type { Accept, RecoveryApi } from '../../recovery/api.ts';
import {
  type SignCardLink,
  type SignCustomerLink,
  signCardLink,
  signCustomerLink,
} from '../../recovery/customers/customer-link.ts';
import {
  noteCustomerOutcome,
  noteCustomerVisit,
  showCustomerLink,
} from '../../recovery/customers/customer-links.ts';
import { createSignedTokens } from '../../recovery/customers/signed-token.ts';
import { createCustomerLinkStore } from '../../store/customers/customer-contacts.ts';
import type { AppContext } from '../context.ts';

/** What signs the links of payments, and those of cards. */
export function linkSigners(context: Pick<AppContext, 'hashCredential'>): {
  readonly signLink: SignCustomerLink;
  readonly signCardLink: SignCardLink;
} {
  const tokens = createSignedTokens(context, 'customer link, v1');
  return { signLink: signCustomerLink(tokens), signCardLink: signCardLink(tokens) };
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
