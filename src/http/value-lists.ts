import { attachmentKinds, attachmentTypes } from '../disputes/added/attachment.ts';
import { matchStates } from '../disputes/dispute-ports.ts';
import { operatorRoles } from '../domain/access/operators.ts';
import { credentialScopes } from '../domain/access/scopes.ts';
import { alertKindNames, alertSeverities } from '../domain/alerts/alert-kinds.ts';
import { contactKinds, customerOutcomes } from '../domain/customers/customer-contact.ts';
import { declineCategories } from '../domain/declines/decline.ts';
import { matchReasons } from '../domain/disputes/matching/match-score.ts';
import {
  disputeKinds,
  disputeStages,
  disputeStatuses,
} from '../domain/disputes/normalise/dispute-state.ts';
import { reasonFamilies } from '../domain/disputes/normalise/reason-codes.ts';
import { policyKinds } from '../domain/merchant.ts';
import { messageReasons } from '../domain/messages/message-template.ts';
import { accountModes, psps } from '../domain/psps.ts';
import { deliveryStates, eventTypes, paymentStates } from '../domain/states.ts';
import { arms } from '../policy/plan.ts';
import { messageStates } from '../recovery/alerts/alert-ports.ts';
import { openStates } from '../recovery/bulk/bulk-ports.ts';
import { customerMessageStates } from '../recovery/messages/message-ports.ts';
import { credentialKinds } from '../recovery/operator-api.ts';
import { replayStatuses } from '../recovery/replays/replay-ports.ts';

/**
 * What lists of words are called in the APIs' documents, and so in the types that are made from them:
 * each list that more than one shape has.
 */
export const valueListTitles: ReadonlyMap<readonly string[], string> = new Map<
  readonly string[],
  string
>([
  [psps, 'Psp'],
  [attachmentKinds, 'AttachmentKind'],
  [attachmentTypes, 'AttachmentType'],
  [messageReasons, 'MessageReason'],
  [customerMessageStates, 'CustomerMessageState'],
  [contactKinds, 'CustomerContactKind'],
  [customerOutcomes, 'CustomerOutcome'],
  [accountModes, 'AccountMode'],
  [paymentStates, 'PaymentStatus'],
  [deliveryStates, 'DeliveryStatus'],
  [replayStatuses, 'ReplayStatus'],
  [eventTypes, 'EventType'],
  [openStates, 'OpenPaymentStatus'],
  [policyKinds, 'PolicyKind'],
  [arms, 'Arm'],
  [credentialKinds, 'CredentialKind'],
  [declineCategories, 'DeclineCategory'],
  [disputeKinds, 'DisputeKind'],
  [disputeStages, 'DisputeStage'],
  [disputeStatuses, 'DisputeStatus'],
  [reasonFamilies, 'ReasonFamily'],
  [matchStates, 'MatchState'],
  [matchReasons, 'MatchReason'],
  [operatorRoles, 'OperatorRole'],
  [credentialScopes, 'CredentialScope'],
  [alertKindNames, 'AlertKind'],
  [alertSeverities, 'AlertSeverity'],
  [messageStates, 'AlertMessageState'],
]);
