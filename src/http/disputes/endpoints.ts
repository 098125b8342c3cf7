import type { ScopedEndpoint } from '../endpoint/define-endpoint.ts';
import { acceptAnalytics } from './analytics/accept-analytics.ts';
import { acceptBatch } from './analytics/accept-batch.ts';
import { eraseCustomer } from './analytics/erase-customer.ts';
import { showAnalytics } from './analytics/show-analytics.ts';
import type { DisputesContext } from './caller.ts';
import { acceptDispute } from './disputes/accept-dispute.ts';
import { addAttachment } from './disputes/add-attachment.ts';
import { confirmMatch } from './disputes/confirm-match.ts';
import { listAttachments } from './disputes/list-attachments.ts';
import { listDisputes } from './disputes/list-disputes.ts';
import { removeAttachment } from './disputes/remove-attachment.ts';
import { reportDispute } from './disputes/report-dispute.ts';
import { showAttachment } from './disputes/show-attachment.ts';
import { showDispute } from './disputes/show-dispute.ts';
import { showEvidence } from './disputes/show-evidence.ts';
import { stateEvidence } from './disputes/state-evidence.ts';
import { submitDispute } from './disputes/submit-dispute.ts';
import { lookUpOrder } from './orders/look-up-order.ts';
import { ping } from './ping.ts';

/** Every endpoint that merchants call, in the order of the docs. */
export const disputesEndpoints: readonly ScopedEndpoint<DisputesContext>[] = [
  acceptAnalytics,
  acceptBatch,
  showAnalytics,
  eraseCustomer,
  reportDispute,
  listDisputes,
  showDispute,
  showEvidence,
  stateEvidence,
  addAttachment,
  listAttachments,
  showAttachment,
  removeAttachment,
  submitDispute,
  acceptDispute,
  lookUpOrder,
  confirmMatch,
  ping,
];
