import { expect, it } from 'vitest';
import type { StripeError } from '../../../src/psp/stripe/client.ts';
import { chargeFailure } from '../../../src/psp/stripe/failures.ts';

function refused(status: number, error: Partial<StripeError> = {}) {
  const whole = { type: 'invalid_request_error', fields: {}, ...error };
  return chargeFailure({ kind: 'refused', status, error: whole });
}

it.each([400, 401, 403, 404, 429])(
  'a charge that Stripe refused with %i was not made',
  (status) => {
    expect(refused(status)).toMatchObject({ kind: 'not_made' });
  },
);

it('only a fault of the request may be one of its method', () => {
  for (const status of [400, 404]) {
    expect(refused(status)).toMatchObject({ isRequestRefused: true });
  }
  for (const status of [401, 403, 429]) {
    expect(refused(status)).not.toHaveProperty('isRequestRefused');
  }
});

it.each([402, 409, 424, 500, 502, 503])(
  'of a charge that ended in %i nothing is known',
  (status) => {
    expect(refused(status)).toMatchObject({ kind: 'unknown' });
  },
);

it('the same key with other parameters means that an earlier request came', () => {
  expect(refused(400, { type: 'idempotency_error' })).toMatchObject({ kind: 'unknown' });
});
