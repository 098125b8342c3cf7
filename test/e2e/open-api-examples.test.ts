import { expect, test } from 'vitest';
import { disputesOpenApi } from '../../src/http/disputes/disputes-open-api.ts';
import { recoveryOpenApi } from '../../src/http/recovery/recovery-open-api.ts';
import { operatorOpenApi } from '../../src/operator/operator-open-api.ts';
import {
  type ApiOperation,
  fillPath,
  operationsOf,
  schemaFaults,
  sentBody,
} from '../kits/open-api.ts';
import { useServices } from '../kits/service.ts';

/**
 * Every operation of the three documents, called on a running service with the body of its example,
 * answers what the document says. What it refuses is in test/http/docs/refusals.test.ts.
 */

const services = useServices();

/**
 * What needs a second processor, a charge whose answer was lost, an analytics record that fits, a
 * PSP that takes evidence or acceptances or a trained model: tests beside their endpoints try them.
 */
const elsewhere = [
  'acceptDispute',
  'activateModel',
  'confirmMatch',
  'disconnectPsp',
  'dismissIncident',
  'refundIncident',
  'retrySetAside',
  'settleUnknownCharge',
  'showIncident',
  'submitDispute',
  'testMessage',
];

interface Step {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  /** Instead of the example, where that names a party outside. */
  readonly body?: object;
}

interface Port {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  try(operationId: string, step?: Step): Promise<any>;
  readonly untried: ReadonlySet<string>;
}

function portOf(url: string, document: object, credentials: Record<string, string>): Port {
  const operations = new Map(operationsOf(document).map((each) => [each.operationId, each]));
  const untried = new Set(operations.keys());
  return {
    untried,
    async try(operationId, step = {}) {
      const operation = operations.get(operationId);
      if (operation === undefined) throw new Error(`There is no ${operationId}`);
      untried.delete(operationId);
      return execute(url, operation, credentials, step);
    },
  };
}

async function execute(
  url: string,
  operation: ApiOperation,
  credentials: Record<string, string>,
  { path = {}, query = operation.requiredQuery, body }: Step,
): Promise<unknown> {
  const given = body ?? operation.body?.examples[0]?.value;
  const answer = await fetch(url + fillPath(operation.path, path) + query, {
    method: operation.method,
    headers: {
      ...credentials,
      ...(given === undefined ? {} : { 'content-type': operation.body?.mediaType ?? '' }),
    },
    ...(given === undefined ? {} : { body: sentBody(operation, given) }),
  }).catch((cause) => {
    throw new Error(`${operation.name} was not answered`, { cause });
  });
  const text = await answer.text();
  const docs = operation.answers.get(answer.status);
  expect([operation.name, answer.status, text, docs]).toEqual([
    operation.name,
    expect.toSatisfy((status: number) => status >= 200 && status < 300),
    text,
    expect.anything(),
  ]);
  if (docs?.schema === undefined) return text;
  const type = answer.headers.get('content-type') ?? '';
  const json = /^(text\/|application\/pdf)/.test(type) ? text : JSON.parse(text);
  expect([operation.name, schemaFaults(docs.schema, json)]).toEqual([operation.name, []]);
  return json;
}

test('every operation answers as documented', async () => {
  const service = await services.start();
  const recovery = portOf(service.recoveryUrl, await recoveryOpenApi(), {
    'x-api-key': service.apiKey,
  });
  const operator = portOf(service.operatorUrl, await operatorOpenApi(), {
    authorization: `Bearer ${service.operatorToken}`,
  });
  const of = { id: service.merchantId };
  const clock = await operator.try('showClock');
  /** Resolves when nothing is due: what was reported is planned. */
  const settle = () => operator.try('moveClock', { body: { advance: 'PT1S' } });

  const example = failedPayment(await recoveryOpenApi());
  const payment = (id: string) => ({
    ...example,
    customer: { id: `cus_of_${id}` },
    invoice: { ...example.invoice, id },
    transactions: example.transactions.map((each) => ({
      ...each,
      id: `txn_of_${id}`,
      psp_transaction_id: `ch_of_${id}`,
      psp_transaction_created_at: clock.now,
    })),
  });
  await operator.try('changeMerchant', {
    path: of,
    body: { customer_action_events: true, customer_page_url: 'https://acme.example/pay/{token}' },
  });
  const { request_id } = await recovery.try('acceptPayment');
  await recovery.try('acceptPayment', { body: payment('in_1') });
  await recovery.try('acceptPayment', { body: payment('in_2') });
  await recovery.try('acceptPayment', { body: stolenCard(payment('in_9')) });
  await recovery.try('showRequest', { path: { request_id } });
  await recovery.try('listPayments', { query: '?limit=2' });
  await settle();
  await recovery.try('retryPayment', { path: { invoice_id: 'in_1' }, body: {} });
  await recovery.try('stopPayment', { path: { invoice_id: 'in_2' } });
  // A day is stated within seven hours of its end, so one day on is too soon between midnight and then.
  await operator.try('moveClock', { body: { advance: 'P2D' } });
  await recovery.try('showPayment', { path: { invoice_id: 'in_1' } });
  const { events } = await recovery.try('listEvents');
  const event_id = events[0].event_id as string;
  const token = tokenIn(events);
  await recovery.try('showCustomerLink', { path: { token } });
  await recovery.try('noteCustomerVisit', { path: { token } });
  await recovery.try('noteCustomerOutcome', { path: { token } });
  // Last of the intake: a new method is tried at once.
  await recovery.try('acceptPaymentMethodUpdate');
  await recovery.try('redeliverEvent', { path: { id: event_id } });
  const { statements } = await recovery.try('listStatements');
  await recovery.try('showStatement', { path: { day: statements[0].day } });
  await recovery.try('createPortalLink');
  await recovery.try('revokePortalLinks');
  // It is of a message that was sent: test/store/messages has one.
  expect(recovery.untried).toEqual(new Set(['noteMessageBounce']));

  await tryDisputes(service.disputesUrl, operator, of.id);

  const month = statements[0].day.slice(0, 7);
  await operator.try('listMonthlyStatements', { path: of });
  await operator.try('showMonthlyStatement', { path: { ...of, month } });
  await operator.try('listDeliveries', { path: of });
  await operator.try('showDelivery', { path: { ...of, event_id } });
  await operator.try('countDeliveries', { path: of });
  await operator.try('replayDelivery', { path: { ...of, event_id } });
  const { id: replay_id } = await operator.try('beginReplay', { path: of });
  await operator.try('listReplays', { path: of });
  await operator.try('showReplay', { path: { ...of, replay_id } });
  await operator.try('countPayments', { path: of });
  const { id: bulk_id } = await operator.try('beginBulk', { path: of });
  await operator.try('listBulks', { path: of });
  await operator.try('showBulk', { path: { ...of, bulk_id } });
  await operator.try('listPspEvents', { path: of });
  await operator.try('listPayments', { query: '?search=in_1' });
  await operator.try('showPayment', { path: { ...of, invoice_id: 'in_1' } });
  await operator.try('showTimeline', { path: { ...of, invoice_id: 'in_1' } });
  await operator.try('showCustomer', { path: { ...of, customer_id: 'cus_of_in_1' } });
  await operator.try('followEvents', { path: of, query: '?after=0' });
  await operator.try('checkup');
  await recovery.try('acceptPayment', { body: payment('in_3') });
  await settle();
  await operator.try('retryPayment', { path: { ...of, invoice_id: 'in_3' }, body: {} });
  await operator.try('stopPayment', { path: { ...of, invoice_id: 'in_3' } });
  await operator.try('listDisputes');
  await operator.try('listDisputeRatios');
  await operator.try('showDisputeOutcomes');
  await operator.try('showRecovery');
  await operator.try('listFees', { path: of });
  await operator.try('showOverview');
  await operator.try('showRetryMap');
  await operator.try('showCohorts');
  await operator.try('showUplift');
  await operator.try('listEndpoints');
  await operator.try('testSignature', { path: of });
  await operator.try('testEndpoint', { path: of });
  await operator.try('listCardsNearLimit');
  await operator.try('listMagicMethods');
  const { batch } = await operator.try('submitPayments', { body: { count: 2, seed: 7 } });
  await operator.try('showBatch', { path: { batch } });
  await operator.try('trainModel');
  // The thread that trains ends, and the service lives on.
  const training = async () => (await operator.try('listModels')).trainings[0]?.state;
  await expect.poll(training, { timeout: 100_000, interval: 500 }).toBe('done');
  await operator.try('listExperiments');
  const terms = { merchant_id: of.id, policy: 'learned', window_days: 14, max_attempts: 4 };
  await operator.try('requestWhatIf', { body: terms });
  await operator.try('listWhatIfs', { query: `?merchant_id=${of.id}` });
  await tryEndpoints(operator, of);
  await operator.try('createPortalLink', { path: of });
  await operator.try('revokePortalLinks', { path: of });
  await tryPeople(operator);
  await tryAlerts(operator);
  await tryMessages(operator, of);
  for (const open of [
    'health',
    'ready',
    'metrics',
    'listInvariants',
    'beginInvariantCheck',
    'beginReconciliations',
    'listReconciliations',
    'beginRestoreCheck',
    'listRestoreChecks',
    'listUnknownCharges',
    'listIncidents',
    'listSetAside',
    'listAudit',
    'verifyAudit',
    'listKeys',
    'rotateKeys',
  ]) {
    await operator.try(open);
  }
  await operator.try('exportWhatIfs', { query: `?merchant_id=${of.id}` });
  for (const name of [...operator.untried].filter((each) => each.startsWith('export'))) {
    await operator.try(name, { path: { ...of, customer_id: 'cus_of_in_1' } });
  }
  expect([...operator.untried].sort()).toEqual(elsewhere);
});

/** Nobody is at the example's address: a test of it fails, and says so. */
async function tryEndpoints(operator: Port, of: { readonly id: string }): Promise<void> {
  const { id: endpoint_id } = await operator.try('createEndpoint', { path: of });
  const path = { ...of, endpoint_id };
  await operator.try('listMerchantEndpoints', { path: of });
  for (const act of [
    'changeEndpoint',
    'rotateEndpointSecret',
    'testFurtherEndpoint',
    'showEndpointSuccess',
    'pauseEndpoint',
    'resumeEndpoint',
    'removeEndpoint',
  ]) {
    await operator.try(act, { path });
  }
}

/** What belongs to a merchant; the last steps take its own things away again. */
async function tryDisputes(url: string, operator: Port, merchantId: string): Promise<void> {
  const of = { id: merchantId };
  await operator.try('listMerchants');
  await operator.try('createMerchant');
  await operator.try('showMerchant', { path: of });
  await operator.try('changeMerchant', { path: of });
  await operator.try('listPsps');
  await operator.try('connectPsp', { path: of, body: { psp: 'sandbox' } });
  await operator.try('listPspAccounts', { path: of });
  await operator.try('testPsp', { path: { ...of, psp: 'sandbox' } });
  await operator.try('rotateCredential', { path: of, body: { kind: 'recovery_api_key' } });
  const issued = await operator.try('issueCredential', {
    path: of,
    body: { kind: 'disputes_password' },
  });
  await operator.try('listCredentials', { path: of });

  const basic = Buffer.from(`${merchantId}:${issued.text}`).toString('base64');
  const disputes = portOf(url, await disputesOpenApi(), { authorization: `Basic ${basic}` });
  await disputes.try('ping');
  const { id } = await disputes.try('createAnalytics');
  await disputes.try('createAnalyticsBatch');
  await disputes.try('showAnalytics', { path: { id } });
  const reported = await disputes.try('reportDispute');
  await disputes.try('listDisputes');
  await disputes.try('showDispute', { path: { id: reported.id } });
  await disputes.try('stateEvidence', { path: { id: reported.id } });
  await disputes.try('showEvidence', { path: { id: reported.id } });
  await tryAttachments(disputes, { id: reported.id });
  await disputes.try('eraseCustomer', { path: { customer_id: 'cus_1001' } });
  await operator.try('showDispute', { path: { id: reported.id } });
  await operator.try('showEvidence', { path: { id: reported.id } });
  await operator.try('showAssignees');
  await operator.try('assignDispute', { path: { id: reported.id } });
  const note = await operator.try('addDisputeNote', { path: { id: reported.id } });
  await operator.try('removeDisputeNote', { path: { id: reported.id, note_id: note.id } });
  const ofDispute = { ...of, dispute_id: reported.id };
  await operator.try('writeRebuttal', { path: ofDispute });
  await operator.try('showRebuttal', { path: ofDispute });
  await tryAttachments(operator, ofDispute);
  expect([...disputes.untried].sort()).toEqual([
    'acceptDispute',
    'confirmMatch',
    'lookUpOrder',
    'submitDispute',
  ]);

  await operator.try('revokeCredential', { path: { ...of, credential_id: issued.id } });
}

async function tryAttachments(port: Port, path: Readonly<Record<string, string>>): Promise<void> {
  const { id: attachment_id } = await port.try('addAttachment', { path });
  await port.try('listAttachments', { path });
  await port.try('showAttachment', { path: { ...path, attachment_id } });
  await port.try('removeAttachment', { path: { ...path, attachment_id } });
}

interface FailedPayment {
  readonly invoice: object;
  readonly transactions: readonly object[];
}

/** The example of a failed event. */
function failedPayment(document: object): FailedPayment {
  const intake = operationsOf(document).find((each) => each.operationId === 'acceptPayment');
  return intake?.body?.examples[0]?.value as FailedPayment;
}

/** One that no retry recovers: its customer is sent to the merchant's page. */
function stolenCard(event: FailedPayment): FailedPayment {
  const outcome = { raw_response_message: '43: stolen card' };
  // A card of its own: what its network forbids from now on is to bind no other payment.
  const card = { payment_method_id: 'pm_stolen', card_fingerprint: 'fp_stolen' };
  const transactions = event.transactions.map((each) => ({ ...each, ...card, outcome }));
  return { ...event, transactions };
}

function tokenIn(events: readonly { readonly body: { readonly customer_page_url?: string } }[]) {
  const urls = events.flatMap(({ body }) => body.customer_page_url ?? []);
  expect(urls).toEqual([expect.stringContaining('https://acme.example/pay/')]);
  return urls.map((url) => url.replace('https://acme.example/pay/', '')).join();
}

/** A test of a message needs a mail server: test/operator/messages.test.ts has one. */
async function tryMessages(operator: Port, of: { readonly id: string }): Promise<void> {
  await operator.try('showMessageSettings', { path: of });
  await operator.try('changeMessageSettings', { path: of });
  const path = { ...of, reason: 'expired_card', language: 'en' };
  await operator.try('setMessageTemplate', { path });
  await operator.try('removeMessageTemplate', { path });
  await operator.try('suppressMessages', { path: of });
  await operator.try('listCustomerMessages', { path: of });
  await operator.try('showMessageReport', { path: of });
}

async function tryPeople(operator: Port): Promise<void> {
  const { id } = await operator.try('addOperator');
  await operator.try('listOperators');
  await operator.try('changeOperator', { path: { id } });
  const { id: token_id } = await operator.try('issueOperatorToken', { path: { id } });
  await operator.try('listOperatorTokens', { path: { id } });
  await operator.try('revokeOperatorToken', { path: { id, token_id } });
  await operator.try('removeOperator', { path: { id } });
  const view = await operator.try('saveView');
  await operator.try('listSavedViews');
  await operator.try('removeSavedView', { path: { id: view.id } });
}

/** The example sends by e-mail, for which a mail server is asked for first; nobody is at this address. */
async function tryAlerts(operator: Port): Promise<void> {
  await operator.try('listAlerts');
  const silence = await operator.try('silenceAlerts');
  await operator.try('endAlertSilence', { path: { id: silence.id } });
  const target = { kind: 'slack', url: 'http://127.0.0.1:9/hook' };
  const { id } = await operator.try('addAlertChannel', { body: { name: 'On call', target } });
  await operator.try('changeAlertChannel', { path: { id } });
  await operator.try('testAlertChannel', { path: { id } });
  const route = await operator.try('addAlertRoute', { path: { id } });
  await operator.try('listAlertChannels');
  await operator.try('listAlertMessages', { query: `?channel_id=${id}` });
  await operator.try('removeAlertRoute', { path: { id: route.id } });
  await operator.try('removeAlertChannel', { path: { id } });
}
