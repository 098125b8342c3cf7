import { AppError } from '../../src/domain/errors.ts';
import type { PaymentState } from '../../src/domain/states.ts';
import type { ControlDifference } from '../../src/recovery/accounting/accounting-ports.ts';
import { measureUplift } from '../../src/recovery/admin/measure-uplift.ts';
import type { PaymentView } from '../../src/recovery/api.ts';
import type { ClockApi } from '../../src/recovery/clock-api.ts';
import type { Incident } from '../../src/recovery/incidents/incident-ports.ts';
import type { ResolveOutcome } from '../../src/recovery/incidents/resolve-incident.ts';
import type {
  CredentialKind,
  CredentialView,
  IssuedCredential,
  MerchantChange,
  MerchantView,
  NewMerchant,
  OperatorApi,
  OperatorDelivery,
  UnknownChargeView,
} from '../../src/recovery/operator-api.ts';
import type { ModelsView } from '../../src/recovery/policy-api.ts';
import type { Reconciliation } from '../../src/recovery/reconciliation/reconciliation-ports.ts';
import type { ExperimentView } from '../../src/recovery/reports/experiments.ts';
import type { SetAside } from '../../src/recovery/set-aside/set-aside-ports.ts';
import type { UpliftGroup } from '../../src/recovery/uplift.ts';
import type { WhatIf } from '../../src/recovery/what-if/what-if-ports.ts';
import { supportedPsps } from './psp-fields.ts';

/** An OperatorApi in memory whose contents a test can set and read. */
export interface FakeOperatorApi extends OperatorApi {
  readonly merchants: Map<string, MerchantView>;
  /** What each merchant was created or changed with, secrets included. */
  readonly inputs: (NewMerchant | MerchantChange)[];
  readonly credentials: Map<string, CredentialView[]>;
  readonly deliveries: Map<string, OperatorDelivery[]>;
  readonly payments: Map<string, PaymentView[]>;
  uplift: readonly UpliftGroup[];
  /** Every call, by its name and input. */
  readonly calls: { readonly name: string; readonly input: unknown }[];
  unknownCharges: readonly UnknownChargeView[];
  incidents: readonly Incident[];
  resolved: ResolveOutcome;
  setAside: readonly SetAside[];
  models: ModelsView;
  experiments: readonly ExperimentView[];
  whatIfs: WhatIf[];
  breaches: number;
  differences: readonly ControlDifference[];
  /** Thrown by the next call, once. */
  failure: unknown;
}

/** The account that a pretended connection replaced, with a charge that is still open. */
const retired = {
  version: 1,
  open: {
    count: 1,
    amounts: [{ amountMinor: 1_599, currency: 'EUR' }],
    oldestSentAt: new Date('2026-03-01T09:12:04.000Z'),
  },
} as const;
const accepted = { kind: 'accepted', account: 'acct_1' } as const;
export const fakeNow = new Date('2026-03-01T09:30:00.000Z');

const fakeReconciliation: Reconciliation = {
  merchantId: 'mer_1',
  runId: 'rec_1',
  psp: 'sandbox',
  connectionVersion: 1,
  purpose: 'reconcile',
  source: 'api',
  state: 'done',
  phase: 'rest',
  since: fakeNow,
  until: fakeNow,
  place: [],
  pages: 3,
  listed: 12,
  settled: 1,
  findings: 2,
  startedAt: fakeNow,
  updatedAt: fakeNow,
  endedAt: fakeNow,
};

export function fakeOperatorApi(): FakeOperatorApi {
  let lastId = 0;
  const nextId = (prefix: string): string => {
    lastId += 1;
    return `${prefix}_${lastId}`;
  };

  const fake: FakeOperatorApi = {
    merchants: new Map(),
    inputs: [],
    credentials: new Map(),
    deliveries: new Map(),
    payments: new Map(),
    uplift: [],
    calls: [],
    unknownCharges: [],
    incidents: [],
    resolved: { kind: 'not_found' },
    setAside: [],
    models: { models: [], trainings: [] },
    experiments: [],
    whatIfs: [],
    breaches: 0,
    differences: [],
    failure: undefined,

    async createMerchant(input) {
      enter('createMerchant', input);
      const merchant: MerchantView = {
        merchantId: nextId('mer'),
        name: input.name,
        retryStatusUrl: input.retryStatusUrl,
        webhookUrl: input.webhookUrl,
        policy: input.policy,
        endOfDunning: input.endOfDunning,
        psps: input.psps.map(({ psp }) => psp),
        authType: input.auth.type,
        createdAt: fakeNow,
        updatedAt: fakeNow,
      };
      fake.inputs.push(input);
      fake.merchants.set(merchant.merchantId, merchant);
      fake.credentials.set(merchant.merchantId, []);
      return {
        merchant,
        recoveryApiKey: 'rk_test_first',
        disputesUsername: merchant.merchantId,
        disputesPassword: 'dp_first',
        signingSecret: 'whsec_first',
      };
    },
    async showMerchant(merchantId) {
      enter('showMerchant', merchantId);
      return fake.merchants.get(merchantId);
    },
    async listMerchants(input) {
      enter('listMerchants', input);
      const all = [...fake.merchants.values()];
      const start = Number(input.cursor ?? 0);
      const end = start + input.limit;
      const items = all.slice(start, end);
      return end < all.length ? { items, nextCursor: end.toString() } : { items };
    },
    async changeMerchant(merchantId, change) {
      enter('changeMerchant', { merchantId, change });
      const merchant = fake.merchants.get(merchantId);
      if (merchant === undefined) return undefined;
      fake.inputs.push(change);
      const { auth, psps, ...plain } = change;
      const changed: MerchantView = {
        ...merchant,
        ...plain,
        ...(auth === undefined ? {} : { authType: auth.type }),
        ...(psps === undefined ? {} : { psps: psps.map(({ psp }) => psp) }),
      };
      fake.merchants.set(merchantId, changed);
      return changed;
    },

    async listPsps() {
      enter('listPsps', undefined);
      return supportedPsps;
    },

    async connectPsp(merchantId, connection) {
      enter('connectPsp', { merchantId, connection });
      if (!fake.merchants.has(merchantId)) return undefined;
      const { psp } = connection;
      return { psp, check: accepted, checkedAt: fakeNow, mode: 'test', version: 2, retired };
    },

    async testPsp(merchantId, psp) {
      enter('testPsp', { merchantId, psp });
      const isConnected = fake.merchants.get(merchantId)?.psps.includes(psp) === true;
      if (!isConnected) return undefined;
      const check = { kind: 'refused', reason: 'The key was revoked.' } as const;
      return { psp, check, checkedAt: fakeNow, mode: 'unknown', version: 1 };
    },

    async disconnectPsp(merchantId, psp) {
      enter('disconnectPsp', { merchantId, psp });
      const isConnected = fake.merchants.get(merchantId)?.psps.includes(psp) === true;
      return isConnected ? { psp, ...retired } : undefined;
    },

    async listPspAccounts(merchantId) {
      enter('listPspAccounts', merchantId);
      const psps = fake.merchants.get(merchantId)?.psps;
      return psps?.map((psp) => ({
        psp,
        version: 1,
        account: 'acct_1',
        mode: 'test',
        state: 'active',
        connectedAt: fakeNow,
        open: retired.open,
      }));
    },

    async listCredentials(merchantId) {
      enter('listCredentials', merchantId);
      return fake.credentials.get(merchantId);
    },
    async issueCredential(merchantId, kind) {
      enter('issueCredential', { merchantId, kind });
      return issue(merchantId, kind);
    },
    async rotateCredential(merchantId, kind, overlapMs) {
      enter('rotateCredential', { merchantId, kind, overlapMs });
      return issue(merchantId, kind);
    },
    async revokeCredential(merchantId, credentialId) {
      enter('revokeCredential', { merchantId, credentialId });
      const of = fake.credentials.get(merchantId) ?? [];
      const index = of.findIndex((each) => each.credentialId === credentialId);
      const credential = of[index];
      if (credential === undefined || credential.revokedAt !== undefined) return false;
      of[index] = { ...credential, revokedAt: fakeNow };
      return true;
    },

    async testEndpoint(merchantId, endpoint) {
      enter('testEndpoint', { merchantId, endpoint });
      if (!fake.merchants.has(merchantId)) return undefined;
      const words = 'No secure connection could be made.';
      return { endpoint, sentAt: fakeNow, result: 'failed', durationMs: 12, words };
    },

    async listDeliveries(input) {
      enter('listDeliveries', input);
      const items = (fake.deliveries.get(input.merchantId) ?? []).filter(
        (each) => input.status === undefined || each.status === input.status,
      );
      return { items };
    },
    async replayDelivery(input) {
      enter('replayDelivery', input);
      const of = fake.deliveries.get(input.merchantId) ?? [];
      const isThere = of.some((each) => each.eventId === input.eventId);
      return { kind: isThere ? 'queued' : 'not_found' };
    },
    async replayExhausted(input) {
      enter('replayExhausted', input);
      const of = fake.deliveries.get(input.merchantId) ?? [];
      const queued = of.filter((each) => each.status === 'exhausted').length;
      return { queued, begunAt: fakeNow };
    },

    async listPayments(input) {
      enter('listPayments', input);
      const items = [...fake.payments].flatMap(([merchantId, of]) =>
        of.map((payment) => ({ merchantId, ...payment })),
      );
      return { items: items.filter((each) => !input.status || each.status === input.status) };
    },
    async showPayment(input) {
      enter('showPayment', input);
      return payment(input);
    },
    async showTimeline(input) {
      enter('showTimeline', input);
      const found = payment(input);
      return found && { payment: found, methods: [], entries: [] };
    },
    async retryPayment(input) {
      enter('retryPayment', input);
      const found = payment(input);
      if (found === undefined) return { kind: 'not_found' };
      if (found.status !== 'scheduled') {
        return { kind: 'refused', because: `The payment is already ${found.status}.` };
      }
      return { kind: 'scheduled', nextAttemptAt: input.retryAt ?? fakeNow };
    },
    async stopPayment(input) {
      enter('stopPayment', input);
      const found = payment(input);
      if (found === undefined) return { kind: 'not_found' };
      if (found.status === 'attempting') return { kind: 'in_flight' };
      if (found.status === 'scheduled') return { kind: 'stopped' };
      return { kind: 'already', status: found.status };
    },
    async showUplift(input) {
      enter('showUplift', input);
      return measureUplift(fake.uplift);
    },
    async listIncidents(input) {
      enter('listIncidents', input);
      return { items: fake.incidents };
    },
    async findIncident(incidentId) {
      enter('findIncident', incidentId);
      return fake.incidents.find((incident) => incident.incidentId === incidentId);
    },
    async refundIncident(input) {
      enter('refundIncident', input);
      return fake.resolved;
    },
    async dismissIncident(input) {
      enter('dismissIncident', input);
      return fake.resolved;
    },
    async listSetAside(input) {
      enter('listSetAside', input);
      return { items: fake.setAside };
    },
    async retrySetAside(input) {
      enter('retrySetAside', input);
      return fake.setAside.some(({ kind, id }) => kind === input.kind && id === input.id);
    },

    async resolveUnknownCharge(input) {
      enter('resolveUnknownCharge', input);
      const isKnown = fake.unknownCharges.some(
        (charge) => charge.idempotencyKey === input.idempotencyKey,
      );
      return isKnown ? { kind: 'resolved', status: 'recovered' } : { kind: 'not_found' };
    },

    async listModels() {
      enter('listModels', undefined);
      return fake.models;
    },

    async trainModel(merchantId) {
      enter('trainModel', merchantId);
    },

    async activateModel(modelId) {
      enter('activateModel', modelId);
      return fake.models.models.some((model) => model.modelId === modelId);
    },

    async listExperiments(query) {
      enter('listExperiments', query);
      return fake.experiments;
    },

    async listWhatIfs(merchantId) {
      enter('listWhatIfs', merchantId);
      return fake.whatIfs.filter((item) => item.merchantId === merchantId);
    },

    async requestWhatIf(input) {
      enter('requestWhatIf', input);
      if (!fake.merchants.has(input.merchantId)) return undefined;
      const whatIf: WhatIf = {
        ...input,
        whatIfId: nextId('wif'),
        fixedDays: [],
        state: 'queued',
        charges: 0,
        words: '',
        requestedAt: fakeNow,
        updatedAt: fakeNow,
      };
      fake.whatIfs.push(whatIf);
      return whatIf;
    },

    async listEndpoints(input) {
      enter('listEndpoints', input);
      return [];
    },
    async showDelivery(input) {
      enter('showDelivery', input);
      const of = fake.deliveries.get(input.merchantId) ?? [];
      const delivery = of.find((each) => each.eventId === input.eventId);
      return delivery && { delivery, body: '{}', headers: [] };
    },
    async countExhausted(input) {
      enter('countExhausted', input);
      const of = fake.deliveries.get(input.merchantId) ?? [];
      const exhausted = of.filter((each) => each.status === 'exhausted').length;
      return { exhausted, waiting: 0, failing: 0 };
    },
    async testSignature(input) {
      enter('testSignature', input);
      return { kind: 'wrong', why: 'The body was changed.' };
    },
    async showOverview(input) {
      enter('showOverview', input);
      const networkPressure = { networks: [] };
      return { seriesStep: 'hour', currencies: [], planned: [], networkPressure, alerts: [] };
    },
    async showRetryMap(input) {
      enter('showRetryMap', input);
      return { hours: [], daysSinceFailure: [], declineCodes: [], bins: [] };
    },

    async showInvariants() {
      enter('showInvariants', undefined);
      const promise = 'No invoice is charged successfully twice.';
      const items = [
        { name: 'one_success_per_invoice', promise, breaches: fake.breaches },
        { name: 'one_event_per_attempt', promise: 'Each attempt has one event.', breaches: 0 },
      ];
      const control = {
        differences: fake.differences,
        moneyDiffers: fake.differences.length,
        eventsDiffer: 0,
      };
      return { items, control };
    },
    async beginReconciliations(input) {
      enter('beginReconciliations', input);
      return [fakeReconciliation];
    },
    async listReconciliations(input) {
      enter('listReconciliations', input);
      return { items: [fakeReconciliation] };
    },
    async beginRestoreCheck(restoredFrom) {
      enter('beginRestoreCheck', restoredFrom);
      return { restoredFrom, state: 'running', payments: 0, startedAt: fakeNow };
    },
    async listRestoreChecks() {
      enter('listRestoreChecks', undefined);
      return [];
    },
    async beginInvariantCheck() {
      enter('beginInvariantCheck', undefined);
      return {
        checkId: nextId('chk'),
        state: 'running',
        rowsRead: 0,
        startedAt: fakeNow,
        updatedAt: fakeNow,
        items: [],
      };
    },
  };

  function enter(name: string, input: unknown): void {
    fake.calls.push({ name, input });
    const { failure } = fake;
    fake.failure = undefined;
    if (failure !== undefined) throw failure;
  }

  function payment(input: { merchantId: string; invoiceId: string }): PaymentView | undefined {
    const of = fake.payments.get(input.merchantId) ?? [];
    return of.find((each) => each.invoiceId === input.invoiceId);
  }

  function issue(merchantId: string, kind: CredentialKind): IssuedCredential | undefined {
    const of = fake.credentials.get(merchantId);
    if (of === undefined) return undefined;
    const view = {
      credentialId: nextId('cred'),
      kind,
      hint: 'rk_test_ab…wxyz',
      createdAt: fakeNow,
    };
    of.push(view);
    return { ...view, text: `rk_test_secret_of_${view.credentialId}` };
  }

  return fake;
}

/** A sandbox clock that does nothing on its way. */
export function fakeClock(): ClockApi & { at: Date; eventAt: Date | undefined } {
  const clock = {
    at: fakeNow,
    eventAt: undefined as Date | undefined,
    nextEventAt: async () => clock.eventAt,
    countPlanned: async (to: Date) =>
      clock.eventAt !== undefined && clock.eventAt.getTime() <= to.getTime()
        ? { attempts: 1, deliveries: 0 }
        : { attempts: 0, deliveries: 0 },
    show: async () => ({ now: clock.at, offsetMs: clock.at.getTime() - fakeNow.getTime() }),
    advanceTo: async (to: Date) => {
      if (to.getTime() < clock.at.getTime()) throw new AppError('conflict');
      clock.at = to;
      return { ...(await clock.show()), jumps: 3 };
    },
  };
  return clock;
}

export function fakePayment(invoiceId: string, status: PaymentState): PaymentView {
  const decision = { kind: 'attempt', because: "the fixed schedule's next time" };
  return {
    invoiceId,
    customerId: 'cus_82',
    subscriptionId: 'sub_1',
    transactionId: 'tr_1',
    originalPspTransactionId: 'ch_1',
    psp: 'sandbox',
    status,
    amountMinor: 4200,
    currency: 'USD',
    failedAt: fakeNow,
    windowEndsAt: new Date('2026-03-29T09:30:00.000Z'),
    nextAttemptAt: new Date('2026-03-04T09:30:00.000Z'),
    attemptCount: 1,
    createdAt: fakeNow,
    updatedAt: fakeNow,
    custom: { plan: { tier: 'gold' } },
    decision,
    attempts: [
      {
        attemptId: 'att_1',
        number: 1,
        status: 'declined',
        startedAt: new Date('2026-03-02T09:30:00.000Z'),
        endedAt: new Date('2026-03-02T09:30:01.000Z'),
        amountMinor: 4200,
        currency: 'USD',
        decision,
        check: { retry: true, reason: 'Other' },
        transactions: [
          {
            ordinal: 1,
            status: 'declined',
            paymentMethodId: 'pm_1',
            pspTransactionId: 'ch_2',
            amountMinor: 4200,
            currency: 'USD',
            decline: { category: 'later', code: '51', networkCode: '51', waitMs: 86_400_000 },
            sentAt: new Date('2026-03-02T09:30:00.500Z'),
            settledAt: new Date('2026-03-02T09:30:01.000Z'),
          },
        ],
      },
    ],
    deliveries: [{ eventId: 'evt_1', type: 'retry_result', status: 'pending', tries: 1 }],
  };
}

export function fakeDelivery(
  eventId: string,
  status: OperatorDelivery['status'],
): OperatorDelivery {
  return {
    eventId,
    type: 'retry_result',
    status,
    tries: 1,
    nextAttemptAt: new Date('2026-03-01T21:30:00.000Z'),
    lastStatus: 500,
    lastError: 'The server answered 500.',
    invoiceId: 'in_1',
    sequence: 42n,
    createdAt: fakeNow,
    log: [{ number: 1, sentAt: fakeNow, status: 500, durationMs: 84 }],
  };
}
