import type { App } from '../app.ts';

/**
 * What a first-time user needs after `npm start`: addresses, credentials, and lines that recover a
 * payment and keep an analytics record when they are pasted as they stand.
 */
export function banner(app: App, now: Date): string {
  const { recoveryUrl, disputesUrl, operatorUrl, demo, dataPath } = app;
  const lines = [
    'Recoup is running.',
    '',
    ...entry('Recovery API', recoveryUrl),
    ...entry('Disputes API', disputesUrl),
    ...entry('Operator API', operatorUrl),
    ...entry('Dashboard', app.dashboardUrl),
    ...entry('Probes', app.probeUrl),
    ...entry('Demo merchant', demo?.server.origin),
    ...entry('Database', dataPath),
  ];
  if (demo === undefined || recoveryUrl === undefined || operatorUrl === undefined) {
    return `${lines.join('\n')}\n`;
  }
  const { recoveryApiKey, disputesPassword, signingSecret, merchantId } = demo.credentials;
  const invoiceId = `inv_${now.getTime().toString(36)}`;
  return `${[
    ...lines,
    ...entry('Operator token', app.isTokenGiven ? 'that of OPERATOR_TOKEN' : app.operatorToken),
    ...entry('Merchant', merchantId),
    ...entry('API key', recoveryApiKey),
    ...entry('Disputes pass', disputesPassword),
    ...entry('Signing secret', signingSecret),
    '',
    'Follow one failed payment to its recovery. In another terminal, report it:',
    '',
    ...submitLine(recoveryUrl, recoveryApiKey, invoiceId, now),
    '',
    "Its first retry is planned in three and a half days. Move the sandbox's clock past it, then see the result:",
    '',
    `curl -sw '\\n' ${operatorUrl}/api/sandbox/clock -H ${bearerOf(app)} -H 'Content-Type: application/json' -d '{"advance":"P4D"}'`,
    '',
    `curl -sw '\\n' ${recoveryUrl}/recover/payments/${invoiceId} -H 'x-api-key: ${recoveryApiKey}'`,
    ...pageLines(app.dashboardUrl, `payments/${merchantId}/${invoiceId}`),
    ...analyticsLine(disputesUrl, `${merchantId}:${disputesPassword}`),
  ].join('\n')}\n`;
}

/** A token that the environment gave is not repeated: what is printed is kept in logs. */
function bearerOf({ operatorToken, isTokenGiven }: App): string {
  return isTokenGiven
    ? '"Authorization: Bearer $OPERATOR_TOKEN"'
    : `'Authorization: Bearer ${operatorToken}'`;
}

/** Where the same is for people. */
function pageLines(url: string | undefined, path: string): string[] {
  if (url === undefined) return [];
  return [
    '',
    'The same on the dashboard; sign in with the operator token above:',
    '',
    `${url}${path}`,
  ];
}

/** HTTP Basic: the merchant's id and a disputes password. */
function analyticsLine(url: string | undefined, credentials: string): string[] {
  if (url === undefined) return [];
  const analyticsRecord = {
    customer_email: 'jane@example.com',
    ipv4_address: '8.8.4.4',
    psp: 'sandbox',
    customer_id: 'cus_1',
    charge_id: 'ch_1',
  };
  return [
    '',
    'Keep what a checkout saw of its customer, as evidence for a later dispute:',
    '',
    `curl -sw '\\n' ${url}/v1/analytics/ -u '${credentials}' -H 'Content-Type: application/json' -d '${JSON.stringify(analyticsRecord)}'`,
  ];
}

function entry(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`  ${`${name}:`.padEnd(16)} ${value}`];
}

function submitLine(url: string, apiKey: string, invoiceId: string, now: Date): string[] {
  const at = new Date(Math.floor(now.getTime() / 1000) * 1000).toISOString().replace('.000', '');
  const event = {
    customer: { id: 'cus_1' },
    subscription: { id: 'sub_1', start_date: at },
    invoice: { id: invoiceId, created_at: at },
    transactions: [
      {
        id: 'tx_1',
        psp_transaction_id: 'ch_1',
        psp: 'sandbox',
        acquirer_country: 'US',
        amount: 42.5,
        currency: 'USD',
        funding_source: 'credit',
        payment_method_id: 'pm_sandbox_success',
        psp_transaction_created_at: at,
        scheme: 'visa',
        success: false,
        outcome: { raw_response_message: '51 Insufficient funds' },
      },
    ],
  };
  return [
    `curl -sw '\\n' ${url}/recover/payments -H 'x-api-key: ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'`,
  ];
}
