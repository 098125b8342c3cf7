import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { createOperatorServer } from '../../src/operator/create-operator-server.ts';
import type { OperatorDeps } from '../../src/operator/operator-deps.ts';
import type { ClockApi } from '../../src/recovery/clock-api.ts';
import type { PeopleApi } from '../../src/recovery/people/people-api.ts';
import { wideBounds } from './bounds.ts';
import { noAnswers } from './disputes-server.ts';
import { supportedPsps } from './psp-fields.ts';
import { hostsOfTests } from './raw-http.ts';

export const operatorToken = 'a-token-of-the-operator';

/** What the kits' clocks show until a test moves them. */
export const kitNow = new Date('2026-03-01T09:30:00.000Z');

export interface OperatorKit {
  readonly server: FastifyInstance;
  readonly clock: SteppedClock;
  /** What was logged as an error. */
  readonly errors: object[];
  /** Asks as the operator does; a body is sent as JSON. */
  ask(method: Method, url: string, body?: unknown): Promise<Reply>;
}

/** Nobody but the holder of the one token. */
const noPeople: PeopleApi = {
  ...unused<PeopleApi>('operators'),
  findByToken: async () => undefined,
};

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly json: any;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** In the place of a part that a test has no use for: whatever is asked of it fails. */
export function unused<Part extends object>(what: string): Part {
  const refuse = () => {
    throw new Error(`this test has no ${what}`);
  };
  return new Proxy({}, { get: () => refuse }) as Part;
}

/**
 * An operator's server alone, for what it does itself: its token, its sessions, refusals, pages. There
 * is no database behind it and no use case: see operator-service.ts. It ends with the test.
 */
export function operatorKit(
  changes: Partial<OperatorDeps> = {},
  { sandbox = true }: { readonly sandbox?: boolean } = {},
): OperatorKit {
  const clock = steppedClock();
  const errors: object[] = [];
  const server = createOperatorServer({
    db: unused('database'),
    reports: changes.db ?? unused('reports'),
    api: unused('use cases'),
    curves: unused('plans'),
    sealer: unused('secrets'),
    hashEmail: async () => '',
    moveOf: async () => undefined,
    ...(sandbox ? { clock } : {}),
    now: () => clock.at,
    machine: { now: () => new Date() },
    checkup: async () => [],
    confirmMatch: async () => 'no_dispute',
    answers: noAnswers,
    desk: unused('what operators note'),
    drawStatement: async () => new Uint8Array(),
    people: noPeople,
    views: unused('saved views'),
    portals: unused('portals'),
    operatorToken,
    operatorUrl: () => 'http://127.0.0.1:8082',
    supportedPsps,
    refreshSums: () => {},
    settings: { learnedPolicy: true, webhookSignatureValidityMs: 60_000 },
    live: { subscribe: () => () => {} },
    notServing: () => undefined,
    databaseAway: async () => undefined,
    writesRefused: async () => undefined,
    heldBack: () => undefined,
    disputesUrl: 'https://disputes.example',
    metrics: async () => 'recoup_attempts_total 1\n',
    hosts: hostsOfTests,
    bounds: wideBounds(),
    random: { bytes: (count) => new Uint8Array(randomBytes(count)) },
    log: { debug: () => {}, error: (fields) => void errors.push(fields) },
    ...changes,
  });
  onTestFinished(() => server.close());

  async function ask(method: Method, url: string, body?: unknown): Promise<Reply> {
    const response = await server.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${operatorToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const json = response.body === '' ? undefined : JSON.parse(response.body);
    return { status: response.statusCode, json, headers: response.headers };
  }

  return { server, clock, errors, ask };
}

export const newMerchant = {
  name: 'Acme',
  retry_status_url: 'https://billing.acme.example/retry/{invoice_id}',
  webhook_url: 'https://billing.acme.example/webhooks/retry-results',
  psps: [{ psp: 'sandbox' }],
};

/** The faults of a 400 answer, each as `field: message`. */
export function fieldsOf(reply: Reply): readonly string[] {
  return reply.json.error.fields.map(
    (each: { field: string; message: string }) => `${each.field}: ${each.message}`,
  );
}

export type SteppedClock = ReturnType<typeof steppedClock>;

/** A sandbox's clock that does nothing on its way. */
export function steppedClock(): ClockApi & { at: Date; eventAt: Date | undefined } {
  const clock = {
    at: kitNow,
    eventAt: undefined as Date | undefined,
    nextEventAt: async () => clock.eventAt,
    countPlanned: async (to: Date) =>
      clock.eventAt !== undefined && clock.eventAt.getTime() <= to.getTime()
        ? { attempts: 1, deliveries: 0 }
        : { attempts: 0, deliveries: 0 },
    show: async () => ({ now: clock.at, offsetMs: clock.at.getTime() - kitNow.getTime() }),
    advanceTo: async (to: Date) => {
      if (to.getTime() < clock.at.getTime()) throw new AppError('conflict');
      clock.at = to;
      return { ...(await clock.show()), jumps: 3 };
    },
  };
  return clock;
}
