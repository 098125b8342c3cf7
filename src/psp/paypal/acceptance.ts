import type {
  AcceptanceApi,
  AcceptanceRecord,
} from '../../disputes/acceptance/acceptance-gateway.ts';
import { codeOf, type Fields, fieldsOf } from '../answer-fields.ts';
import type { PaypalClient } from './client.ts';
import { reasonOf, recordIn, resultOf } from './evidence.ts';

/** What a dispute says that was decided for the buyer. */
const given = ['RESOLVED_BUYER_FAVOUR', 'ACCEPTED'];
const open = ['OPEN', 'WAITING_FOR_SELLER_RESPONSE', 'WAITING_FOR_BUYER_RESPONSE', 'UNDER_REVIEW'];

/**
 * Accepting a claim makes PayPal refund the whole of it. It names the kinds of refund that may be chosen in
 * `allowed_response_options`; an amount is not to be sent along. In an inquiry there is no claim yet.
 * Source: paypal-rest-api-specifications, customer_disputes_v1.json, disputes.accept-claim and accept_claim_type. Of the
 * body it names a document alone; PayPal's Postman collection, accept claim, has it as JSON with a note and the type. An
 * amount: error AMOUNT_SHOULD_NOT_BE_PASSED.
 */
export function createPaypalAcceptance(client: PaypalClient): AcceptanceApi {
  return {
    kind: 'api',
    refusedStages: {
      inquiry:
        'An inquiry at PayPal is no claim yet: refund the payment at PayPal, or come to terms with the buyer.',
    },
    async accept({ pspDisputeId }) {
      const found = await client.dispute(pspDisputeId);
      const dispute = recordIn(found, pspDisputeId);
      // Nothing that would change anything was sent.
      if (dispute === undefined) return { kind: 'failed', reason: reasonOf(found, 'the dispute') };
      if (!offersRefund(dispute)) {
        const status = codeOf(dispute.status) ?? 'unknown';
        const reason = `PayPal offers no acceptance by a refund now; its status is ${status}`;
        return { kind: 'failed', reason };
      }
      return resultOf(await client.acceptClaim(pspDisputeId), 'the acceptance');
    },
    async readAccepted(pspDisputeId): Promise<AcceptanceRecord> {
      const found = await client.dispute(pspDisputeId);
      const dispute = recordIn(found, pspDisputeId);
      return dispute === undefined
        ? { kind: 'unreadable', reason: reasonOf(found, 'the dispute') }
        : acceptedIn(dispute);
    },
  };
}

/** Where the dispute lists no options at all, PayPal's answer says whether it takes it. */
function offersRefund(dispute: Fields): boolean {
  if (!open.includes(codeOf(dispute.status) ?? '')) return false;
  const options = fieldsOf(dispute.allowed_response_options);
  if (options === undefined) return true;
  const types = fieldsOf(options.accept_claim)?.accept_claim_types;
  return Array.isArray(types) && types.includes('REFUND');
}

function acceptedIn({ status, dispute_outcome: outcome }: Fields): AcceptanceRecord {
  if (open.includes(codeOf(status) ?? '')) return { kind: 'not_accepted' };
  const code = codeOf(fieldsOf(outcome)?.outcome_code) ?? '';
  return status === 'RESOLVED' && given.includes(code)
    ? { kind: 'accepted' }
    : { kind: 'unreadable', reason: 'the status of the dispute does not say it' };
}
