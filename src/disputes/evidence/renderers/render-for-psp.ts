import { type FieldsPsp, pspFacts } from '../../../domain/psps.ts';
import type { PacketContent } from '../packet.ts';
import { attachmentsThatGo } from './attachment-places.ts';
import { renderBraintree } from './render-braintree.ts';
import { renderCheckout } from './render-checkout.ts';
import { renderPaypal } from './render-paypal.ts';
import { renderStripe } from './render-stripe.ts';
import { type Rendered, takeNotes } from './rendered.ts';

const renderers: Readonly<Record<FieldsPsp, (content: PacketContent) => Rendered<unknown>>> = {
  stripe: renderStripe,
  braintree: renderBraintree,
  checkout: renderCheckout,
  paypal: renderPaypal,
};

/** A packet in the form of its dispute's PSP; without a body where the PDF is all that it takes. */
export function renderForPsp(content: PacketContent): Rendered<unknown> {
  const { psp } = content.dispute;
  const { evidence } = pspFacts[psp];
  if (evidence.form === 'document') {
    const notes = takeNotes();
    attachmentsThatGo(content, notes);
    notes.without('body', evidence.why);
    return { body: undefined, leftOut: notes.leftOut };
  }
  // FieldsPsp is made of the form, which TypeScript does not see here.
  return renderers[psp as FieldsPsp](content);
}
