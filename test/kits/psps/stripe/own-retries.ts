import { intentOf } from './failed-invoice.ts';
import { byItself, type StripeWorld } from './world.ts';

/** Stripe's own next try of each invoice that is still open (`auto_advance`), on the method before. */
export function retryOpenInvoices(world: StripeWorld): void {
  for (const invoice of world.all('invoice')) {
    if (invoice.status !== 'open') continue;
    const intent = intentOf(world, invoice);
    const last = world.find(String(intent.latest_charge), 'charge');
    world.charge(intent, String(last?.payment_method), byItself);
  }
}
