import type { Decline } from '../../domain/declines/decline.ts';
import { zoneOfCountry } from '../../domain/places/country-zones.ts';
import { countryOfCurrency } from '../../domain/places/currency-country.ts';
import { present } from '../../domain/present.ts';
import { firstDecline } from '../intake/first-decline.ts';
import type { RecordedCharge, TestedCharge } from './what-if-ports.ts';

/** A charge as the back-test takes it: its decline normalised, and the zone of its payer. */
export function testedCharge(charge: RecordedCharge): TestedCharge {
  const country = charge.issuerCountry?.toUpperCase() ?? countryOfCurrency(charge.currency);
  return present({
    attemptId: charge.chargeId,
    invoiceId: charge.invoiceId,
    customerId: charge.customerId,
    atMs: charge.at.getTime(),
    amountMinor: charge.amountMinor,
    currency: charge.currency,
    succeeded: charge.succeeded,
    decline: declineOf(charge),
    card: charge.paymentMethodId,
    brand: charge.scheme?.toLowerCase(),
    funding: charge.fundingSource?.toLowerCase(),
    bin: charge.bin,
    timeZone: zoneOfCountry(country ?? ''),
    propensity: charge.propensity,
  });
}

/** What nobody explained may pass at another time, as everywhere. */
function declineOf({ decline, outcome, psp, scheme = '', at }: RecordedCharge): Decline {
  if (decline !== undefined) return decline;
  if (outcome === undefined) return { category: 'later', code: 'unknown' };
  return firstDecline({ psp, scheme, outcome, psp_transaction_created_at: at.toISOString() });
}
