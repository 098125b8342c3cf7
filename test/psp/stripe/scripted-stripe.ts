import type { Answer, StripeClient } from '../../../src/psp/stripe/client.ts';

export interface ScriptedStripe {
  readonly client: StripeClient;
  /** Each call's method and its first parameters, in their order. */
  readonly calls: readonly (readonly unknown[])[];
}

/** A client that answers each method of the SDK, such as `refunds.create`, as told. */
export function scriptedStripe(
  answers: Readonly<Record<string, (...parameters: readonly unknown[]) => Answer<unknown>>>,
): ScriptedStripe {
  const calls: (readonly unknown[])[] = [];
  let answer: Answer<unknown> = { kind: 'lost', reason: 'nothing was asked' };
  const resource = (name: string) =>
    new Proxy(
      {},
      {
        get:
          (_, method) =>
          async (...parameters: readonly unknown[]) => {
            const called = `${name}.${String(method)}`;
            const scripted = answers[called];
            if (scripted === undefined) throw new Error(`${called} was not expected`);
            calls.push([called, ...parameters.slice(0, -1)]);
            answer = scripted(...parameters);
          },
      },
    );
  const sdk = new Proxy({}, { get: (_, name) => resource(String(name)) });
  const client: StripeClient = {
    async ask(_timeoutMs, call) {
      await call(sdk as Parameters<typeof call>[0], {});
      return answer as Awaited<ReturnType<typeof client.ask<never>>>;
    },
  };
  return { client, calls };
}

export function stripeSays(value: unknown): Answer<unknown> {
  return { kind: 'answered', value };
}

export function stripeRefuses(status: number, fields: object = {}, at?: Date): Answer<never> {
  const error = { type: 'invalid_request_error', fields: { ...fields }, ...(at && { at }) };
  return { kind: 'refused', status, error };
}

export const stripeLost = { kind: 'lost', reason: 'the connection broke' } as const;

/** A page of a list. */
export function stripeList(data: readonly unknown[], hasMore = false): Answer<unknown> {
  return stripeSays({ object: 'list', data, has_more: hasMore });
}
