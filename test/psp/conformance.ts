import { describe, expect, it, onTestFinished } from 'vitest';
import { CardCode } from '../../src/domain/card-code.ts';
import type { Decline } from '../../src/domain/declines/decline.ts';
import type { JsonObject } from '../../src/domain/payment.ts';
import type { PspAccount, PspAdapter, PspCredentials } from '../../src/psp/adapter.ts';
import type { ChargeRequest, LookUpRequest, PspGateway } from '../../src/recovery/psp-ports.ts';
import { brokenPsp, deadAddress, rawPsp } from './broken-psp.ts';

/** What the processor's own record holds of one charge, by its own account. */
export interface SeenCharge {
  readonly succeeded: boolean;
  readonly idempotencyKey: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentMethodId: string;
  readonly metadata?: JsonObject;
  readonly networkTransactionId?: string;
  readonly tokenId?: string;
}

/** An adapter, joined to a running test server that speaks its processor's wire format. */
export interface GatewayUnderTest {
  readonly gateway: PspGateway;
  /** The same adapter pointed at another server, with this deadline. */
  gatewayAt(baseUrl: string, deadlineMs: number): ClosingGateway;
  /** The same processor, with credentials that it refuses. */
  readonly refused: PspGateway;
  /** Payment methods with which the test server does as the name says. */
  readonly methods: {
    readonly success: string;
    readonly decline: string;
    /** What `decline` must come to, as far as it is named. */
    readonly declined: Partial<Decline>;
    /** The charge is made, its answer is lost. */
    readonly lostSuccess: string;
    /** The charge is declined, its answer is lost. */
    readonly lostDecline: string;
    /** The connection breaks before anything was made. */
    readonly lostBefore: string;
    /** The processor says that it made nothing: too many requests, down for repairs. */
    readonly notMade: readonly string[];
    /** The processor fails in the middle: nobody knows, until its record says. */
    readonly serverErrors: readonly string[];
  };
  /** How the processor refuses a request as such, with these words in its answer. */
  refusal(message: string): { readonly status: number; readonly text: string };
  chargesOf(invoiceId: string): Promise<readonly SeenCharge[]>;
  /** Every text that the adapter and the test server wrote anywhere: logs, files, records. */
  everythingWritten(): Promise<string>;
}

export type ClosingGateway = PspAccount & { close(): Promise<void> };

/** A gateway that ends with the adapter made for it. */
export function closingGateway(adapter: PspAdapter, credentials: PspCredentials): ClosingGateway {
  return { ...adapter.connect(credentials), close: () => adapter.close() };
}

const deadlineMs = 500;
const cardCodeCanary = '8731';
/** Standing alone: within a random id or number the same four digits come by chance. */
const cardCodeAlone = new RegExp(`(?<![0-9A-Za-z-])${cardCodeCanary}(?![0-9A-Za-z-])`);
let invoices = 0;
let common: Partial<ChargeRequest> = {};

/**
 * What every adapter must do, whatever its processor. `start` is called for each test and ends what
 * it started by `onTestFinished`. `everyCharge` is what the processor needs in each charge, such as
 * the customer whose methods these are.
 */
export function describeGateway(
  name: string,
  start: () => Promise<GatewayUnderTest>,
  everyCharge: Partial<ChargeRequest> = {},
): void {
  common = everyCharge;
  describe(`${name} as a gateway`, () => {
    describeCharges(start);
    describeLostAnswers(start);
    describeTrouble(start);
    describeConnection(start);
    describeCardCode(start);
  });
}

function describeCharges(start: () => Promise<GatewayUnderTest>): void {
  it('charges once and gives the ids of the transaction', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.success);
    const result = await gateway.charge(request);
    expect(result).toMatchObject({
      kind: 'succeeded',
      pspTransactionId: expect.stringMatching(/.+/),
      networkTransactionId: expect.stringMatching(/.+/),
    });
    expect(await chargesOf(request.invoiceId)).toMatchObject([
      {
        succeeded: true,
        idempotencyKey: request.idempotencyKey,
        amountMinor: request.amountMinor,
        currency: request.currency,
        paymentMethodId: methods.success,
      },
    ]);
  });

  it('gives a decline normalised', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.decline);
    const result = await gateway.charge(request);
    expect(result).toMatchObject({ kind: 'declined', decline: methods.declined });
    expect(await chargesOf(request.invoiceId)).toMatchObject([{ succeeded: false }]);
  });

  it('answers the same key again without a second charge', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.success);
    const first = await gateway.charge(request);
    const again = await gateway.charge(request);
    // A processor that remembers no keys refuses the second at best, and says no more.
    if (gateway.capabilities.keyMemoryMs === 0) expect(again.kind).toBe('unknown');
    else expect(again).toEqual(first);
    expect(await chargesOf(request.invoiceId)).toHaveLength(1);
  });

  it('makes at most one charge of one key sent many times at once', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.success);
    const results = await Promise.all(Array.from({ length: 20 }, () => gateway.charge(request)));
    expect(results.some((result) => result.kind === 'succeeded')).toBe(true);
    for (const { kind } of results) expect(['succeeded', 'unknown']).toContain(kind);
    expect(await chargesOf(request.invoiceId)).toHaveLength(1);
  });

  it.each([
    ['JPY', 500],
    ['KWD', 12_340],
    ['EUR', 1],
  ])('charges in %s, %i of its smallest unit', async (currency, amountMinor) => {
    const { gateway, methods, chargesOf } = await start();
    const request = { ...chargeOf(methods.success), currency, amountMinor };
    expect(await gateway.charge(request)).toMatchObject({ kind: 'succeeded' });
    expect(await chargesOf(request.invoiceId)).toMatchObject([{ currency, amountMinor }]);
  });

  it('passes on what the processor takes: metadata, token, network transaction id', async () => {
    const { gateway, methods, chargesOf } = await start();
    const { capabilities } = gateway;
    const request: ChargeRequest = {
      ...chargeOf(methods.success),
      pspCustomerId: 'cus_1',
      metadata: { order: 'A-17', plan: 'pro' },
      networkTransactionId: '015221789456213',
      token: { id: 'tok_1', expirationMonth: '04', expirationYear: '2031' },
      billingAddress: { name: 'Jane Doe', zip: '94107' },
    };
    expect(await gateway.charge(request)).toMatchObject({ kind: 'succeeded' });
    expect(await chargesOf(request.invoiceId)).toMatchObject([
      {
        ...(capabilities.metadata && { metadata: { order: 'A-17', plan: 'pro' } }),
        ...(capabilities.networkTransactionId && { networkTransactionId: '015221789456213' }),
        ...(capabilities.tokens && { tokenId: 'tok_1' }),
      },
    ]);
  });
}

function describeLostAnswers(start: () => Promise<GatewayUnderTest>): void {
  it('finds a success whose answer was lost', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.lostSuccess);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await settled(gateway, request)).toMatchObject({
      kind: 'succeeded',
      pspTransactionId: expect.stringMatching(/.+/),
    });
    expect(await chargesOf(request.invoiceId)).toMatchObject([{ succeeded: true }]);
  });

  it('finds a decline whose answer was lost', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.lostDecline);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await settled(gateway, request)).toMatchObject({
      kind: 'declined',
      decline: { category: expect.stringMatching(/.+/) },
    });
    expect(await chargesOf(request.invoiceId)).toMatchObject([{ succeeded: false }]);
  });

  it('knows nothing of a charge that broke off, until the record says that it was never made', async () => {
    const { gateway, methods, chargesOf } = await start();
    const request = chargeOf(methods.lostBefore);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await chargesOf(request.invoiceId)).toEqual([]);
    const found = await gateway.lookUp(lookUpOf(request));
    expect(found.kind).toBe(byRecord(gateway) ? 'not_found' : 'unknown');
  });

  it('does not find a charge that was never sent', async () => {
    const { gateway, methods } = await start();
    const found = await gateway.lookUp(lookUpOf(chargeOf(methods.success)));
    expect(found.kind).toBe(byRecord(gateway) ? 'not_found' : 'unknown');
  });

  it('tells what a charge of the key was made for, where another amount or currency is asked for', async () => {
    const { gateway, methods } = await start();
    if (!byRecord(gateway)) return;
    for (const [kind, method] of [
      ['succeeded', methods.success],
      ['declined', methods.decline],
    ] as const) {
      const request = chargeOf(method);
      const { amountMinor, currency } = request;
      await gateway.charge(request);
      for (const other of [{ amountMinor: amountMinor + 1 }, { currency: 'EUR' }]) {
        const found = await gateway.lookUp({ ...lookUpOf(request), ...other });
        expect(found).toMatchObject({ kind, told: { amountMinor, currency } });
      }
    }
  });

  it('knows nothing of a charge while the processor does not answer', async () => {
    const { gatewayAt, methods } = await start();
    const gateway = closing(gatewayAt(await deadAddress(), deadlineMs));
    const request = lookUpOf(chargeOf(methods.success));
    expect(await gateway.lookUp(request)).toMatchObject({ kind: 'unknown' });
  });

  it('never makes a second charge of a key that failed in the middle', async () => {
    const { gateway, methods, chargesOf } = await start();
    for (const method of methods.serverErrors) {
      const request = chargeOf(method);
      expect(await gateway.charge(request), method).toMatchObject({ kind: 'unknown' });
      await settled(gateway, request);
      const successes = (await chargesOf(request.invoiceId)).filter((charge) => charge.succeeded);
      expect(successes.length, method).toBeLessThanOrEqual(1);
    }
  });
}

function byRecord({ capabilities }: PspGateway): boolean {
  return capabilities.lookUp === 'by_record';
}

/** What became of a charge, asked in the way that its processor knows. */
function settled(gateway: PspGateway, request: ChargeRequest) {
  return byRecord(gateway) ? gateway.lookUp(lookUpOf(request)) : gateway.charge(request);
}

function describeTrouble(start: () => Promise<GatewayUnderTest>): void {
  it('says that nothing was made when the processor says so', async () => {
    const { gateway, methods, chargesOf } = await start();
    for (const method of methods.notMade) {
      const request = chargeOf(method);
      expect(await gateway.charge(request), method).toMatchObject({ kind: 'not_made' });
      expect(await chargesOf(request.invoiceId)).toEqual([]);
    }
  });

  it('says that nothing was made when the credentials are refused', async () => {
    const { refused, methods, chargesOf } = await start();
    const request = chargeOf(methods.success);
    const result = await refused.charge(request);
    expect(result).toMatchObject({ kind: 'not_made' });
    // It would refuse every method so.
    expect(result).not.toHaveProperty('isRequestRefused');
    expect(await refused.lookUp(lookUpOf(request))).toMatchObject({ kind: 'unknown' });
    expect(await chargesOf(request.invoiceId)).toEqual([]);
  });

  it('says that nothing was made when nobody listens', async () => {
    const { gatewayAt, methods } = await start();
    const gateway = closing(gatewayAt(await deadAddress(), deadlineMs));
    const result = await gateway.charge(chargeOf(methods.success));
    expect(result).toMatchObject({ kind: 'not_made' });
    expect(result).not.toHaveProperty('isRequestRefused');
  });

  it('tells a request that the processor refused as such, whose next method may do', async () => {
    const { gatewayAt, methods, refusal } = await start();
    const refusing = await brokenPsp((_request, response) => {
      const { status, text } = refusal('no such payment method');
      response.writeHead(status, { 'content-type': contentTypeOf(text) });
      response.end(text);
    });
    const result = await closing(gatewayAt(refusing.url, deadlineMs)).charge(
      chargeOf(methods.success),
    );
    expect(result).toMatchObject({ kind: 'not_made', isRequestRefused: true });
  });

  it('knows nothing when the processor does not answer by the deadline', async () => {
    const { gatewayAt, methods } = await start();
    const hanging = await brokenPsp(() => undefined);
    const gateway = closing(gatewayAt(hanging.url, deadlineMs));
    expect(await gateway.charge(chargeOf(methods.success))).toMatchObject({ kind: 'unknown' });
    expect(hanging.requests).toHaveLength(1);
  });

  it('knows nothing when the answer does not end by the deadline', async () => {
    const { gatewayAt, methods } = await start();
    const dripping = await brokenPsp((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    });
    const gateway = closing(gatewayAt(dripping.url, deadlineMs));
    expect(await gateway.charge(chargeOf(methods.success))).toMatchObject({ kind: 'unknown' });
  });

  it('knows nothing when the connection breaks after the request', async () => {
    const { gatewayAt, methods } = await start();
    const url = await rawPsp((socket) => socket.destroy());
    const gateway = closing(gatewayAt(url, deadlineMs));
    expect(await gateway.charge(chargeOf(methods.success))).toMatchObject({ kind: 'unknown' });
  });

  it.each([
    ['half a JSON', 200, '{"id":"ch_1","sta'],
    ['a page', 200, '<html>OK</html>'],
    ['nothing', 200, ''],
    ['an array', 200, '[]'],
    ['a null', 200, 'null'],
    ['an answer without ids', 200, '{"status":"succeeded"}'],
    ['a server error', 500, '{"error":{"type":"api_error","message":"oops"}}'],
    ['a bad gateway', 502, 'Bad Gateway'],
    ['a proxy that is down', 503, '<html>Service Unavailable</html>'],
    ['a redirect', 302, ''],
  ])('knows nothing when the answer is %s', async (_what, status, text) => {
    const { gatewayAt, methods } = await start();
    const broken = await brokenPsp((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' });
      response.end(text);
    });
    const gateway = closing(gatewayAt(broken.url, deadlineMs));
    const request = chargeOf(methods.success);
    expect(await gateway.charge(request)).toMatchObject({ kind: 'unknown' });
    expect(await gateway.lookUp(lookUpOf(request))).toMatchObject({ kind: 'unknown' });
  });

  it('knows nothing when the answer never stops', async () => {
    const { gatewayAt, methods } = await start();
    const endless = await brokenPsp((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    });
    const gateway = closing(gatewayAt(endless.url, 5_000));
    expect(await gateway.charge(chargeOf(methods.success))).toMatchObject({ kind: 'unknown' });
  });
}

function describeConnection(start: () => Promise<GatewayUnderTest>): void {
  it('accepts credentials that work', async () => {
    const { gateway } = await start();
    expect(await gateway.checkCredentials()).toMatchObject({ kind: 'accepted' });
  });

  it('refuses credentials that do not, in words', async () => {
    const { refused } = await start();
    expect(await refused.checkCredentials()).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/.{10}/),
    });
  });

  it('says that credentials could not be checked when nobody listens', async () => {
    const { gatewayAt } = await start();
    const gateway = closing(gatewayAt(await deadAddress(), deadlineMs));
    expect(await gateway.checkCredentials()).toMatchObject({ kind: 'unreachable' });
  });

  it('takes no webhook without a signature', async () => {
    const { gateway } = await start();
    const rawBody = Buffer.from('{"id":"evt_1","type":"invoice.paid"}');
    const receivedAt = new Date('2026-11-02T09:00:00Z');
    expect(await gateway.readWebhook({ rawBody, headers: {}, receivedAt })).toMatchObject({
      kind: 'unverified',
    });
  });
}

function describeCardCode(start: () => Promise<GatewayUnderTest>): void {
  it('writes the card verification number nowhere', async () => {
    const { gateway, methods, everythingWritten } = await start();
    for (const method of [methods.success, methods.decline, methods.lostSuccess]) {
      const result = await gateway.charge(withCardCode(chargeOf(method)));
      expect(JSON.stringify(result)).not.toMatch(cardCodeAlone);
    }
    const written = await everythingWritten();
    expect(written).not.toMatch(cardCodeAlone);
    // Both would be missing from an empty text as well.
    expect(written).toContain(methods.success);
  });

  it('takes the card verification number out of what a processor repeats', async () => {
    const { gatewayAt, methods, refusal } = await start();
    let received = '';
    const echo = await brokenPsp((_request, response, body) => {
      received += body;
      const { status, text } = refusal(`bad request: ${cardCodeCanary}`);
      response.writeHead(status, { 'content-type': contentTypeOf(text) });
      response.end(text);
    });
    const gateway = closing(gatewayAt(echo.url, deadlineMs));
    const result = await gateway.charge(withCardCode(chargeOf(methods.success)));
    expect(cardCodeAlone.test(received)).toBe(gateway.capabilities.tokens);
    expect(JSON.stringify(result)).not.toMatch(cardCodeAlone);
  });
}

function contentTypeOf(text: string): string {
  return text.startsWith('<') ? 'application/xml' : 'application/json';
}

/** A charge of an invoice of its own. */
function chargeOf(paymentMethodId: string): ChargeRequest {
  invoices += 1;
  return {
    merchantId: 'mer_conformance',
    invoiceId: `in_${invoices}`,
    idempotencyKey: `key-of-in_${invoices}`,
    amountMinor: 1_999,
    currency: 'USD',
    paymentMethodId,
    ...common,
  };
}

function withCardCode(request: ChargeRequest): ChargeRequest {
  const cardCode = new CardCode(cardCodeCanary);
  return { ...request, token: { id: request.paymentMethodId, cardCode } };
}

function lookUpOf(request: ChargeRequest): LookUpRequest {
  return { ...request, sentAt: new Date('2026-11-02T09:00:00Z') };
}

function closing(gateway: ClosingGateway): PspGateway {
  onTestFinished(() => gateway.close());
  return gateway;
}
