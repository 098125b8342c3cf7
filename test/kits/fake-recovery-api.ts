import type { JsonObject } from '../../src/domain/payment.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../../src/domain/payment-event.ts';
import type { RequestId } from '../../src/domain/request-id.ts';
import type {
  Accept,
  EventView,
  ListEvents,
  ListPayments,
  ListStatements,
  PaymentView,
  RecoveryApi,
  RequestView,
  RetryOutcome,
  StopOutcome,
} from '../../src/recovery/api.ts';
import type { LinkAnswer, OutcomeOfLink } from '../../src/recovery/customers/customer-links.ts';

/** What a test reads and sets of the fake engine. */
export interface FakeRecoveryApi extends RecoveryApi {
  readonly payments: Map<string, PaymentView>;
  readonly requests: Map<string, RequestView>;
  readonly events: EventView[];
  readonly acceptedPayments: Accept<PaymentEventBody>[];
  readonly acceptedUpdates: Accept<PaymentMethodUpdateBody>[];
  readonly statements: JsonObject[];
  readonly links: string[];
  readonly outcomes: OutcomeOfLink[];
  readonly portalLinks: string[];
  linkAnswer: LinkAnswer;
  readonly listed: (ListPayments | ListEvents | ListStatements)[];
  readonly retried: Parameters<RecoveryApi['retryPayment']>[0][];
  readonly stopped: Parameters<RecoveryApi['stopPayment']>[0][];
  retryOutcome: RetryOutcome;
  stopOutcome: StopOutcome;
  /** Thrown by every call while it is set. */
  failure: Error | undefined;
  /** Awaited by every accept, so that a test can hold one open. */
  gate: Promise<void>;
}

/** The engine in memory: it keeps what it is given, and answers what the test says. */
export function fakeRecoveryApi(): FakeRecoveryApi {
  const receipts = new Map<string, RequestId>();
  const receipt = (uuid: string): RequestId => {
    const known = receipts.get(uuid);
    const id = known ?? { uuid, number: BigInt(receipts.size + 1), partition: 7 };
    receipts.set(uuid, id);
    return id;
  };
  const fake: FakeRecoveryApi = {
    payments: new Map(),
    requests: new Map(),
    events: [],
    acceptedPayments: [],
    acceptedUpdates: [],
    statements: [],
    links: [],
    outcomes: [],
    portalLinks: [],
    linkAnswer: { kind: 'bad' },
    listed: [],
    retried: [],
    stopped: [],
    retryOutcome: { kind: 'scheduled', nextAttemptAt: new Date('2026-06-03T09:00:00Z') },
    stopOutcome: { kind: 'stopped' },
    failure: undefined,
    gate: Promise.resolve(),
    async acceptPayment(input) {
      await ready(fake);
      fake.acceptedPayments.push(input);
      return receipt(input.uuid);
    },
    async acceptPaymentMethodUpdate(input) {
      await ready(fake);
      fake.acceptedUpdates.push(input);
      return receipt(input.uuid);
    },
    async findRequest({ requestId }) {
      await ready(fake);
      return fake.requests.get(requestId.uuid);
    },
    async showPayment({ invoiceId }) {
      await ready(fake);
      return fake.payments.get(invoiceId);
    },
    async listPayments(input) {
      await ready(fake);
      fake.listed.push(input);
      const items = [...fake.payments.values()];
      return items.length > input.limit
        ? { items: items.slice(0, input.limit), nextCursor: 'next' }
        : { items };
    },
    async retryPayment(input) {
      await ready(fake);
      fake.retried.push(input);
      return fake.payments.has(input.invoiceId) ? fake.retryOutcome : { kind: 'not_found' };
    },
    async stopPayment(input) {
      await ready(fake);
      fake.stopped.push(input);
      return fake.payments.has(input.invoiceId) ? fake.stopOutcome : { kind: 'not_found' };
    },
    async listEvents(input) {
      await ready(fake);
      fake.listed.push(input);
      return { items: fake.events };
    },
    async findStatement({ day }) {
      await ready(fake);
      return fake.statements.find((statement) => statement.day === day);
    },
    async listStatements(input) {
      await ready(fake);
      fake.listed.push(input);
      return { items: fake.statements };
    },
    async showCustomerLink({ token }) {
      await ready(fake);
      fake.links.push(token);
      return fake.linkAnswer;
    },
    async noteCustomerVisit({ token }) {
      await ready(fake);
      fake.links.push(token);
      return fake.linkAnswer;
    },
    async noteCustomerOutcome(input) {
      await ready(fake);
      fake.outcomes.push(input);
      const answer = fake.linkAnswer;
      return answer.kind === 'card' ? { kind: 'card_kept', card: answer.card } : answer;
    },
    async createPortalLink({ validMs, ...of }) {
      await ready(fake);
      const createdAt = new Date('2026-06-02T00:00:00Z');
      const expiresAt = new Date(createdAt.getTime() + validMs);
      const id = String(fake.portalLinks.length + 1);
      fake.portalLinks.push(id);
      return { ...of, linkId: `plk_${id}`, text: `portal_test_${id}`, createdAt, expiresAt };
    },
    async revokePortalLinks() {
      await ready(fake);
      return fake.portalLinks.splice(0).length;
    },
    async noteBounce({ of }) {
      await ready(fake);
      return of.includes('cmg_known');
    },
    async redeliverEvent({ eventId }) {
      await ready(fake);
      return {
        kind: fake.events.some((event) => event.eventId === eventId) ? 'queued' : 'not_found',
      };
    },
  };
  return fake;
}

async function ready(fake: FakeRecoveryApi): Promise<void> {
  await fake.gate;
  if (fake.failure !== undefined) throw fake.failure;
}
