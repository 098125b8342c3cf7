import type { PacketContent } from '../packet.ts';
import { renderBraintree } from './render-braintree.ts';
import { renderCheckout } from './render-checkout.ts';
import { renderPaypal } from './render-paypal.ts';
import { renderStripe } from './render-stripe.ts';
import type { Rendered } from './rendered.ts';

/** A packet in the form of its dispute's PSP; without a body where the PDF is all that it takes. */
export function renderForPsp(content: PacketContent): Rendered<unknown> {
  switch (content.dispute.psp) {
    case 'stripe':
      return renderStripe(content);
    case 'braintree':
      return renderBraintree(content);
    case 'checkout':
      return renderCheckout(content);
    case 'paypal':
      return renderPaypal(content);
    case 'adyen':
      return pdfAlone(
        'Adyen names the defence reasons when it is asked; it gets the PDF with one.',
      );
    case 'worldpay':
    case 'recurly':
    case 'recharge':
    case 'sandbox':
      return pdfAlone('This PSP takes no fields: give it the PDF.');
  }
}

function pdfAlone(why: string): Rendered<undefined> {
  return { body: undefined, leftOut: [{ field: 'body', why }] };
}
