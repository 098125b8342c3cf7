import type { DisputeNetwork } from '../../../domain/disputes/normalise/dispute-network.ts';
import type { Psp } from '../../../domain/psps.ts';
import type { AttachmentKind, AttachmentType } from '../../added/attachment.ts';

/** How a PSP takes files. */
export interface FileRules {
  /** Its field or type for each kind; without one it has none. */
  readonly fields: Readonly<Partial<Record<AttachmentKind, string>>>;
  /** Which fields hold one file alone: none, all, or all but the spare one. */
  readonly single: 'none' | 'all' | 'all_but_spare';
  /** What takes a file whose own field is taken. */
  readonly spare?: string;
  /** What it takes; absent: all that is taken here. */
  readonly types?: readonly AttachmentType[];
  /** Bytes of one file, of a type or a network less, and of all that go. */
  readonly fileBytes: number;
  readonly bytesByType?: Readonly<Partial<Record<AttachmentType, number>>>;
  readonly bytesByNetwork?: Readonly<Partial<Record<DisputeNetwork, number>>>;
  readonly allBytes: number;
  /** What is said of a field beside its name, since the PSP decides in the end. */
  readonly condition?: string;
}

/**
 * Which of Adyen's types of documents shows what a file of a kind shows, the best one first. Which of them it takes the
 * reasons say that it offers for a dispute. Sources: Adyen, Disputes API v30, examples; Adyen, platform experience
 * components, types of documents by reason of defence.
 */
export const adyenDocumentTypes: Readonly<Record<AttachmentKind, readonly string[]>> = {
  receipt: ['TIDorInvoice', 'ProofOfRetailSaleRatherThanCredit'],
  contract: ['MerchantProofOfRecurringTransaction'],
  customer_communication: [],
  service_documentation: [
    'ProofOfGoodsOrServicesProvided',
    'ProofOfAbilityToProvideServices',
    'GoodsOrServicesProvided',
  ],
  shipping_documentation: [
    'ProofOfGoodsOrServicesProvided',
    'DateMerchandiseShipped',
    'ShippedToAVS',
    'GoodsOrServicesProvided',
  ],
  refund_policy: ['DisclosureAtPointOfInteraction'],
  cancellation_policy: ['DisclosureAtPointOfInteraction'],
  other: [],
};
/** Those that take any file. */
export const adyenGeneralTypes = [
  'AdditionalInformation',
  'AlternativeDefenseMaterial',
  'DefenseMaterial',
] as const;

/**
 * Sources. Stripe: dispute evidence fields (one file each); file upload guide, `dispute_evidence` (5 MB a file: no file
 * here is larger); 4.5 MB of all files of a dispute, by what its API answers (woocommerce-payments, issue 555). Checkout.com:
 * file uploader (4 MB), and provide dispute evidence, whose `additional_evidence_file` the packet's PDF takes. PayPal:
 * customer_disputes_v1.json, evidence types; error INVALID_EVIDENCE_FILE (below 10 MB a file, 50 MB a case, of which our
 * PDF has its part). Adyen: defense requirements (PDF of 2 MB, JPG of 10 MB, no PNG; Diners and Discover 3 MB). Braintree:
 * Document Upload: Create (4 MB; png, jpg, jpeg, pdf), DisputeFileEvidenceCategory; it says of no category how many files it
 * takes but by error 95714, so each has one, and `GENERAL` the others, as it has several texts.
 */
export const fileRules: Readonly<Partial<Record<Psp, FileRules>>> = {
  stripe: {
    fields: {
      receipt: 'receipt',
      contract: 'customer_signature',
      customer_communication: 'customer_communication',
      service_documentation: 'service_documentation',
      shipping_documentation: 'shipping_documentation',
      refund_policy: 'refund_policy',
      cancellation_policy: 'cancellation_policy',
      other: 'uncategorized_file',
    },
    single: 'all',
    spare: 'uncategorized_file',
    fileBytes: 4_500_000,
    allBytes: 4_500_000,
  },
  checkout: {
    fields: {
      receipt: 'invoice_or_receipt_file',
      contract: 'recurring_transaction_agreement_file',
      customer_communication: 'customer_communication_file',
      service_documentation: 'proof_of_delivery_or_service_file',
      shipping_documentation: 'proof_of_delivery_or_service_file',
      refund_policy: 'refund_or_cancellation_policy_file',
      cancellation_policy: 'refund_or_cancellation_policy_file',
    },
    single: 'all',
    fileBytes: 4_000_000,
    allBytes: 25_000_000,
  },
  paypal: {
    fields: {
      receipt: 'PROOF_OF_RECEIPT_COPY',
      contract: 'COPY_OF_CONTRACT',
      customer_communication: 'OTHER',
      service_documentation: 'PROOF_FOR_SOFTWARE_OR_SERVICE_DELIVERED',
      shipping_documentation: 'ADDITIONAL_PROOF_OF_SHIPMENT',
      refund_policy: 'RETURN_POLICY',
      cancellation_policy: 'RETURN_POLICY',
      other: 'OTHER',
    },
    single: 'none',
    fileBytes: 9_999_999,
    allBytes: 45_000_000,
  },
  adyen: {
    fields: adyenFields(),
    single: 'none',
    types: ['application/pdf', 'image/jpeg'],
    fileBytes: 10_000_000,
    bytesByType: { 'application/pdf': 2_000_000 },
    bytesByNetwork: { diners: 3_000_000, discover: 3_000_000 },
    allBytes: 25_000_000,
    condition:
      'as far as the reason that Adyen offers has it, else to a general document of that reason',
  },
  braintree: {
    fields: {
      receipt: 'GENERAL',
      contract: 'GENERAL',
      customer_communication: 'GENERAL',
      service_documentation: 'PROOF_OF_POSSESSION_OR_USAGE',
      shipping_documentation: 'PROOF_OF_DELIVERY',
      refund_policy: 'GENERAL',
      cancellation_policy: 'GENERAL',
      other: 'GENERAL',
    },
    single: 'all_but_spare',
    spare: 'GENERAL',
    fileBytes: 4_000_000,
    allBytes: 25_000_000,
    condition: 'or to GENERAL where the reason of the dispute does not have it',
  },
};

function adyenFields(): FileRules['fields'] {
  return Object.fromEntries(
    Object.entries(adyenDocumentTypes).map(([kind, own]) => [
      kind,
      own.length === 0 ? adyenGeneralTypes[0] : own.join(' or '),
    ]),
  );
}
