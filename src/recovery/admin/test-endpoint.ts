import type { Clock } from '../../domain/clock.ts';
import { newId } from '../../domain/ids.ts';
import type { Merchant, MerchantSecrets } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { Merchants } from '../engine/deps.ts';
import type {
  MerchantClient,
  NoAnswerCause,
  RetryStatusAnswer,
  WebhookRequest,
} from '../merchant-ports.ts';
import type { EndpointKind, EndpointTest } from '../operator-api.ts';
import type { ActionLog } from './ports.ts';

export interface TestEndpointDeps {
  readonly merchants: Merchants;
  readonly merchantClient: MerchantClient;
  readonly actions: Pick<ActionLog, 'noteAction'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Real milliseconds, which only ever grow. */
  readonly elapsedMs: () => number;
}

/** The type of a webhook that tests an address. Receivers acknowledge it and do nothing. */
const testWebhookType = 'test';

/** The invoice that a test of the final check asks for. Merchants have none of this id. */
export const testInvoiceId = 'recoup_endpoint_test';

/**
 * Calls one of the merchant's two addresses as the engine would, and says how that went and what to
 * mend. No payment is touched: the webhook has a type of its own, and the final check's answer is
 * read and forgotten. Undefined for an unknown merchant.
 */
export async function testEndpoint(
  deps: TestEndpointDeps,
  input: { readonly merchantId: string; readonly endpoint: EndpointKind },
): Promise<EndpointTest | undefined> {
  const { merchantId, endpoint } = input;
  const merchant = await deps.merchants.findMerchant(merchantId);
  if (merchant === undefined) return undefined;
  const secrets = await deps.merchants.merchantSecrets(merchantId);
  const sentAt = deps.clock.now();
  const test = endpoint === 'webhook' ? testWebhook : testRetryStatus;
  const result = { endpoint, sentAt, ...(await test(deps, { merchant, secrets, sentAt })) };
  const detail = { endpoint, result: result.result };
  await deps.actions.noteAction({
    merchantId,
    audit: { action: 'endpoint.tested', detail, at: sentAt },
  });
  return result;
}

interface Call {
  readonly merchant: Merchant;
  readonly secrets: MerchantSecrets;
  readonly sentAt: Date;
}

type Tested = Omit<EndpointTest, 'endpoint' | 'sentAt'>;

async function testWebhook(
  { merchantClient, random }: TestEndpointDeps,
  { merchant, secrets, sentAt }: Call,
): Promise<Tested> {
  return await sendTest({ merchantClient, random }, { url: merchant.webhookUrl, secrets, sentAt });
}

/** Sends a signed webhook that names no payment, and says how that went. */
export async function sendTest(
  { merchantClient, random }: Pick<TestEndpointDeps, 'merchantClient' | 'random'>,
  call: Pick<WebhookRequest, 'url' | 'headers' | 'secrets' | 'sentAt'>,
): Promise<Tested> {
  const { sentAt } = call;
  const body = {
    type: testWebhookType,
    timestamp: sentAt.toISOString(),
    message: 'A test of this address by an operator. Nothing happened to any payment.',
  };
  const sent = await merchantClient.sendWebhook({
    ...call,
    eventId: newId(random, 'evt'),
    type: testWebhookType,
    body: JSON.stringify(body),
  });
  const { status, durationMs } = sent;
  const common = { durationMs, ...present({ status }) };
  if (sent.kind === 'delivered') {
    return { ...common, result: 'passed', message: 'The test webhook was acknowledged.' };
  }
  return { ...common, result: 'failed', message: sent.detail, advice: adviceOn[sent.cause] };
}

async function testRetryStatus(
  { merchantClient, elapsedMs }: TestEndpointDeps,
  { merchant, secrets }: Call,
): Promise<Tested> {
  const startedMs = elapsedMs();
  const answer = await merchantClient.askRetryStatus({
    merchant,
    secrets,
    invoiceId: testInvoiceId,
  });
  return { durationMs: Math.max(0, Math.round(elapsedMs() - startedMs)), ...judged(answer) };
}

/** Any answer that the engine understands is a pass: the invoice is none of the merchant's. */
function judged(
  answer: RetryStatusAnswer,
): Pick<Tested, 'result' | 'message' | 'advice' | 'status'> {
  switch (answer.kind) {
    case 'not_found':
      return {
        result: 'passed',
        status: 404,
        message: `It does not know the test's invoice, as it should: ${answer.detail}`,
      };
    case 'do_not_retry':
      return {
        result: 'passed',
        status: 200,
        message: `It says not to retry the test's invoice: ${answer.reason}`,
      };
    case 'retry':
      return {
        result: 'passed',
        status: 200,
        message: `It says to retry an invoice that the merchant does not have: ${answer.reason}`,
        advice: 'Make the address answer 404 with a detail for an invoice that it does not know.',
      };
    case 'rate_limited':
      return {
        result: 'failed',
        status: 429,
        message: 'It limits the rate of calls.',
        advice: 'Allow at least one call for each retry; Recoup waits as Retry-After says.',
      };
    case 'no_answer':
      return { result: 'failed', message: answer.detail, advice: adviceOn[answer.cause] };
  }
}

/** What to do about an address that gives no usable answer. */
const adviceOn: Readonly<Record<NoAnswerCause, string>> = {
  unauthorized: 'Compare the authentication in the settings with what the server expects.',
  server_error: "Look into the server's log: it failed on this call.",
  unexpected_status:
    'Check the path of the address. It must answer 200 (webhook), or 200 or 404 with a JSON body (retry status).',
  redirect: 'Give the final address: redirects are not followed.',
  timeout: 'Answer first and do the work afterwards; check that firewalls let the call through.',
  connection_failed: 'Check the host, the port, the certificate, and that the server is up.',
  address_refused: 'Give an address of the public internet, or allow it by OUTBOUND_ALLOW.',
  too_large: 'Answer with the documented fields only.',
  wrong_type: 'Answer uncompressed JSON with Content-Type: application/json.',
  malformed: 'Answer the documented JSON object.',
};
