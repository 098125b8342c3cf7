import type { ScopedEndpoint } from '../endpoint/define-endpoint.ts';
import type { RecoveryContext } from './caller.ts';
import { noteBounce } from './customers/note-bounce.ts';
import { noteOutcome } from './customers/note-outcome.ts';
import { noteVisit } from './customers/note-visit.ts';
import { showLink } from './customers/show-link.ts';
import { listEvents } from './events/list-events.ts';
import { redeliverEvent } from './events/redeliver-event.ts';
import { acceptPayment } from './intake/accept-payment.ts';
import { acceptPaymentMethodUpdate } from './intake/accept-payment-method-update.ts';
import { showRequest } from './intake/show-request.ts';
import { listPayments } from './payments/list-payments.ts';
import { retryPayment } from './payments/retry-payment.ts';
import { showPayment } from './payments/show-payment.ts';
import { stopPayment } from './payments/stop-payment.ts';
import { createPortalLink, revokePortalLinks } from './portal/portal-links.ts';
import { listStatements } from './statements/list-statements.ts';
import { showStatement } from './statements/show-statement.ts';

/** Every endpoint of the recovery API, in the order of its docs. */
export const endpoints: readonly ScopedEndpoint<RecoveryContext>[] = [
  acceptPaymentMethodUpdate,
  acceptPayment,
  showRequest,
  showPayment,
  listPayments,
  retryPayment,
  stopPayment,
  showLink,
  noteVisit,
  noteOutcome,
  noteBounce,
  listEvents,
  redeliverEvent,
  listStatements,
  showStatement,
  createPortalLink,
  revokePortalLinks,
];
