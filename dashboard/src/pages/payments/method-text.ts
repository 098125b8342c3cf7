import type { PaymentMethodJson } from '../../api/generated/payments.ts';
import { networkName } from '../../parts/network-name.ts';

/** A payment method in a line: its id, scheme, funding, the first digits and the country. */
export function methodText(method: PaymentMethodJson): string {
  const { payment_method_id: id, scheme, funding_source: funding, bin, issuer_country } = method;
  const network = scheme === undefined ? undefined : networkName(scheme);
  const parts = [network, funding, bin === undefined ? undefined : `${bin}…`, issuer_country];
  const words = parts.filter((part) => part !== undefined).join(' ');
  return [id, words === '' ? '' : ` (${words})`, method.removed ? ', removed' : ''].join('');
}
