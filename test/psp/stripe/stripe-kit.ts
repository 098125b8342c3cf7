import { onTestFinished } from 'vitest';
import { createStripeAdapter } from '../../../src/psp/stripe/adapter.ts';
import { type StripeServer, startStripeServer } from '../../kits/psps/stripe-server.ts';
import { type ClosingGateway, closingGateway } from '../conformance.ts';

/** When the charges of these tests are looked up from, a second after they were sent. */
export const sentAt = new Date('2026-11-02T09:00:00Z');
export const serverTime = new Date('2026-11-02T09:00:01Z');

/** A key of the engine's form. */
export function keyOf(number: number): string {
  return `rcp_${String(number).padStart(30, '0')}`;
}

/** A clock that a test may put forward. */
export interface TestClock {
  now(): Date;
  set(at: Date): void;
}

export function testClock(): TestClock {
  let at = serverTime;
  return {
    now: () => at,
    set: (to) => {
      at = to;
    },
  };
}

/** A server that ends with its test. */
export async function stripe(clock: TestClock = testClock()): Promise<StripeServer> {
  const server = await startStripeServer({ now: () => clock.now() });
  onTestFinished(() => server.close());
  return server;
}

export interface GatewayOptions {
  readonly credentials?: Readonly<Record<string, string>>;
  readonly deadlineMs?: number;
  readonly clock?: Pick<TestClock, 'now'>;
}

/** A gateway to a server, ended by who asks for it. */
export function openGateway(
  baseUrl: string,
  { credentials = {}, deadlineMs = 5_000, clock = testClock() }: GatewayOptions = {},
): ClosingGateway {
  return closingGateway(createStripeAdapter({ baseUrl, deadlineMs, clock }), credentials);
}

/** A gateway that ends with its test. */
export function gatewayTo(server: StripeServer, options: GatewayOptions = {}): ClosingGateway {
  const credentials = { ...server.credentials, ...options.credentials };
  const gateway = openGateway(server.url, { ...options, credentials });
  onTestFinished(() => gateway.close());
  return gateway;
}
