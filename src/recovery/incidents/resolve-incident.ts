import { present } from '../../domain/present.ts';
import { pspName } from '../../domain/psps/psp-name.ts';
import type { PaymentState } from '../../domain/states.ts';
import { isFinal } from '../../domain/states.ts';
import type { AnswerDeps } from '../engine/answers/take-answer.ts';
import { refundKey } from '../engine/charge-key.ts';
import type { EngineDeps } from '../engine/deps.ts';
import { type StopDeps, type StopInput, stopPayment } from '../engine/stop-payment.ts';
import { exclusionText } from './excluded-by.ts';
import type { Incident, IncidentStore } from './incident-ports.ts';
import { moveIncident, resolveOpenCharge } from './incident-steps.ts';

export type ResolveDeps = AnswerDeps &
  StopDeps &
  Pick<EngineDeps, 'findGateway'> & { readonly incidents: IncidentStore };

export interface ResolveIncident {
  readonly merchantId: string;
  readonly incidentId: string;
  /** Who decided it and why; kept with the incident. */
  readonly reason: string;
}

const justDecided = 'Somebody else has just resolved the incident.';

export type ResolveOutcome =
  | { readonly kind: 'refunded' | 'dismissed'; readonly status?: PaymentState }
  /**
   * The PSP has taken the refund, or nobody knows yet: the same call again asks what became of it.
   */
  | { readonly kind: 'refunding'; readonly because: string }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'not_found' };

/**
 * Gives back the money of an incident, through the account that it was taken by. The refund's key is a
 * function of the charge and of how many refunds of it have failed: after a crash or a lost answer the
 * same call makes it once.
 */
export async function refundIncident(
  deps: ResolveDeps,
  input: ResolveIncident,
): Promise<ResolveOutcome> {
  const found = await deps.incidents.find(input);
  if (found === undefined) return { kind: 'not_found' };
  const taken = moneyTaken(found);
  if ('because' in taken) return { kind: 'refused', because: taken.because };
  if (found.dismissalBegunAt !== undefined) {
    return refused('Its dismissal has begun: dismiss it once more, so that it ends.');
  }
  const { merchantId, psp, connectionVersion: version } = found;
  const gateway = await deps.findGateway({
    merchantId,
    psp,
    ...present({ version }),
  });
  if (gateway === undefined)
    return refused(`There is no connection to ${pspName(psp)} to refund through.`);
  const why = input.reason;
  if (found.state === 'open') {
    const begun = await moveIncident(deps, found, { to: 'refunding', why });
    if (begun === 'not_as_read') return refused(justDecided);
    if (begun !== 'moved') return refused(exclusionText(begun));
  }
  // Which refund of the charge it is, is known once it has begun.
  const incident = found.state === 'open' ? await deps.incidents.find(found) : found;
  if (incident?.state !== 'refunding') return movedMeanwhile(deps, found);
  const refundId = await refundElsewhere(deps, incident);
  if (refundId !== undefined) return recordRefund(deps, incident, { refundId, why });
  const result = await gateway.refund({
    ...taken,
    merchantId,
    invoiceId: incident.invoiceId ?? incident.charge,
    idempotencyKey: refundKey({
      merchantId,
      psp,
      pspTransactionId: taken.pspTransactionId,
      number: incident.failedRefunds + 1,
    }),
    ...present({ askedAt: found.refundAskedAt }),
  });
  switch (result.kind) {
    case 'refunded':
      return recordRefund(deps, incident, { refundId: result.refundId, why });
    case 'refused':
      await moveIncident(deps, incident, { to: 'open', why });
      return refused(result.reason);
    case 'pending':
      // By this id the PSP's webhook may name it.
      if (incident.refundId !== result.refundId) {
        await moveIncident(deps, incident, { to: 'refunding', refundId: result.refundId, why });
      }
      return { kind: 'refunding', because: `The refund ${result.refundId} is in progress.` };
    case 'unknown':
      return { kind: 'refunding', because: result.reason };
  }
}

/**
 * Leaves the charge as it is. Money that the PSP took is kept: what was open is resolved by its
 * word, and a payment that is not over is stopped, so that it is not charged again. Either would be
 * wrong of money that is given back, so it is first decided that no refund begins; where this dies
 * after that, the same call again ends it.
 */
export async function dismissIncident(
  deps: ResolveDeps,
  input: ResolveIncident,
): Promise<ResolveOutcome> {
  const incident = await deps.incidents.find(input);
  if (incident === undefined) return { kind: 'not_found' };
  if (incident.state !== 'open') return refused(overText(incident));
  const at = deps.clock.now();
  const begun = await deps.incidents.beginDismissal({ ...incident, at });
  if (begun === 'not_as_read') {
    const now = await deps.incidents.find(incident);
    return refused(now === undefined || now.state === 'open' ? justDecided : overText(now));
  }
  if (begun !== 'begun') return refused(exclusionText(begun));
  const wasOpen = await resolveOpenCharge(deps, incident, 'kept', input.reason);
  if (!wasOpen && incident.theirs?.state === 'succeeded') await stopOpen(deps, incident);
  const moved = await moveIncident(deps, incident, { to: 'dismissed', why: input.reason });
  if (moved !== 'moved') return refused(justDecided);
  deps.wake.payments();
  return withStatus(deps, incident, 'dismissed');
}

/** What the PSP says that it took, or why there is nothing to give back. */
function moneyTaken({ state, theirs, ours }: Incident) {
  if (state === 'refunded' || state === 'dismissed') {
    return { because: `The incident is already ${state}.` };
  }
  const pspTransactionId = theirs?.pspTransactionId ?? ours?.pspTransactionId;
  const amountMinor = theirs?.amountMinor ?? ours?.amountMinor;
  const currency = theirs?.currency ?? ours?.currency;
  const isTaken = theirs?.state === 'succeeded';
  if (!isTaken || pspTransactionId === undefined) {
    return { because: 'According to the PSP, no money was taken for this charge.' };
  }
  if (amountMinor === undefined || currency === undefined) {
    return { because: 'How much was taken is not known: refund it at the PSP, then dismiss this.' };
  }
  return { pspTransactionId, amountMinor, currency };
}

async function recordRefund(
  deps: ResolveDeps,
  incident: Incident,
  refund: { readonly refundId: string; readonly why: string },
): Promise<ResolveOutcome> {
  await resolveOpenCharge(deps, incident, 'refunded', refund.why);
  const moved = await moveIncident(deps, incident, { to: 'refunded', ...refund });
  return moved === 'moved'
    ? withStatus(deps, incident, 'refunded')
    : movedMeanwhile(deps, incident);
}

/** The refund that gave the money of the same charge back already, with another incident. */
async function refundElsewhere(
  { incidents }: Pick<ResolveDeps, 'incidents'>,
  { merchantId, psp, incidentId, theirs }: Incident,
): Promise<string | undefined> {
  const pspTransactionId = theirs?.pspTransactionId;
  if (theirs?.state !== 'succeeded' || pspTransactionId === undefined) return undefined;
  const all = await incidents.findByCharge({ merchantId, psp, pspTransactionId });
  const refunded = all.find(
    (each) =>
      each.incidentId !== incidentId &&
      each.theirs?.state === 'succeeded' &&
      each.state === 'refunded',
  );
  return refunded?.refundId;
}

/** A refund was made, and the PSP's webhook or another call has moved the incident first. */
async function movedMeanwhile(deps: ResolveDeps, incident: Incident): Promise<ResolveOutcome> {
  const now = await deps.incidents.find(incident);
  if (now?.state === 'refunded') return withStatus(deps, incident, 'refunded');
  return refused(now?.resolution ?? justDecided);
}

/** The money was taken for the debt: one that this was joined to, before or meanwhile, is not charged for it either. */
async function stopOpen(deps: ResolveDeps, incident: Incident): Promise<void> {
  const { merchantId, invoiceId } = incident;
  if (invoiceId === undefined) return;
  await stopOne(deps, { merchantId, invoiceId });
  const goesOn = await deps.incidents.findGoesOn({ merchantId, invoiceId });
  if (goesOn !== invoiceId) await stopOne(deps, { merchantId, invoiceId: goesOn });
}

async function stopOne(
  deps: ResolveDeps,
  key: Pick<StopInput, 'merchantId' | 'invoiceId'>,
): Promise<void> {
  const payment = await deps.payments.load(key);
  if (payment === undefined || isFinal(payment.state)) return;
  const detail = 'money that an incident shows was taken is kept';
  const reason = 'recovered_elsewhere';
  await stopPayment(deps, { ...key, reason, detail, waits: false });
}

async function withStatus(
  deps: ResolveDeps,
  { merchantId, invoiceId }: Incident,
  kind: 'refunded' | 'dismissed',
): Promise<ResolveOutcome> {
  deps.wake.payments();
  if (invoiceId === undefined) return { kind };
  const payment = await deps.payments.load({ merchantId, invoiceId });
  return payment === undefined ? { kind } : { kind, status: payment.state };
}

function overText({ state }: Incident): string {
  if (state === 'refunding') return 'A refund of it is already in progress.';
  return `The incident is already ${state}.`;
}

function refused(because: string): ResolveOutcome {
  return { kind: 'refused', because };
}
