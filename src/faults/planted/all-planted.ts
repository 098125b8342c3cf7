import { aCentMore } from './accounts/a-cent-more.ts';
import { anotherKeyEachTime } from './accounts/another-key-each-time.ts';
import { besideTheInvoice } from './accounts/beside-the-invoice.ts';
import { declineTakenForSuccess } from './accounts/decline-taken-for-success.ts';
import { impatient } from './accounts/impatient.ts';
import { lookedUpDeclineIsSuccess } from './accounts/looked-up-decline-is-success.ts';
import { lookedUpSuccessIsNothing } from './accounts/looked-up-success-is-nothing.ts';
import { lostAnswerIsADecline } from './accounts/lost-answer-is-a-decline.ts';
import { lostAnswerIsNotMade } from './accounts/lost-answer-is-not-made.ts';
import { nothingSinceThen } from './accounts/nothing-since-then.ts';
import { paidAlreadyIsNotMade } from './accounts/paid-already-is-not-made.ts';
import { recordHoldsNothing } from './accounts/record-holds-nothing.ts';
import { restoredUnderNewKeys } from './accounts/restored-under-new-keys.ts';
import { sentHoweverLate } from './accounts/sent-however-late.ts';
import { successTakenForDecline } from './accounts/success-taken-for-decline.ts';
import { aNewBodyEachSend } from './calls/a-new-body-each-send.ts';
import { aNewNameEachSend } from './calls/a-new-name-each-send.ts';
import { acknowledgedBeforeKept } from './calls/acknowledged-before-kept.ts';
import { amountNotHeard } from './calls/amount-not-heard.ts';
import { anOldSecret } from './calls/an-old-secret.ts';
import { anOldYes } from './calls/an-old-yes.ts';
import { anyStatusAcknowledges } from './calls/any-status-acknowledges.ts';
import { askedWhereConnectedNow } from './calls/asked-where-connected-now.ts';
import { debtsNotJoined } from './calls/debts-not-joined.ts';
import { lateAnswerDropped } from './calls/late-answer-dropped.ts';
import { methodsNotHeard } from './calls/methods-not-heard.ts';
import { noAnswerIsYes } from './calls/no-answer-is-yes.ts';
import { noIsYes } from './calls/no-is-yes.ts';
import { ownClock } from './calls/own-clock.ts';
import { stoppedBeforeItIs } from './calls/stopped-before-it-is.ts';
import type { Planted } from './planted.ts';
import { deliveriesNotSent } from './statements/deliveries-not-sent.ts';
import { forgottenWhenPutBack } from './statements/forgotten-when-put-back.ts';
import { lostChargeNotAsked } from './statements/lost-charge-not-asked.ts';
import { notPutBack } from './statements/not-put-back.ts';
import { packedOnItsWay } from './statements/packed-on-its-way.ts';
import { requestsNotApplied } from './statements/requests-not-applied.ts';
import { stopNotSeen } from './statements/stop-not-seen.ts';

/** Every bug that the checker is proved by. */
export const allPlanted: readonly Planted[] = [
  lostAnswerIsNotMade,
  lostAnswerIsADecline,
  recordHoldsNothing,
  anotherKeyEachTime,
  restoredUnderNewKeys,
  besideTheInvoice,
  aCentMore,
  impatient,
  successTakenForDecline,
  declineTakenForSuccess,
  lookedUpDeclineIsSuccess,
  lookedUpSuccessIsNothing,
  sentHoweverLate,
  paidAlreadyIsNotMade,
  nothingSinceThen,
  anOldYes,
  noIsYes,
  noAnswerIsYes,
  amountNotHeard,
  methodsNotHeard,
  anyStatusAcknowledges,
  aNewNameEachSend,
  aNewBodyEachSend,
  anOldSecret,
  acknowledgedBeforeKept,
  stoppedBeforeItIs,
  ownClock,
  askedWhereConnectedNow,
  lateAnswerDropped,
  debtsNotJoined,
  stopNotSeen,
  lostChargeNotAsked,
  requestsNotApplied,
  deliveriesNotSent,
  packedOnItsWay,
  forgottenWhenPutBack,
  notPutBack,
];
