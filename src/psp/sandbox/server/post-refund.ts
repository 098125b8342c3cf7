import type { IncomingMessage } from 'node:http';
import { base32 } from '../../../domain/ids.ts';
import { isObject } from '../../../domain/json/is-object.ts';
import { limits } from '../../../domain/limits.ts';
import { type Answer, fault, parsed, readBody } from './answers.ts';
import type { SandboxDeps } from './routes.ts';

/** Gives a charge back, as a whole or in part; the same key with the same amount once. */
export async function postRefund(
  deps: SandboxDeps,
  request: IncomingMessage,
  chargeId: string,
): Promise<Answer> {
  const charge = deps.ledger.byId(chargeId);
  if (charge === undefined) return invalid('No such charge.', 404);
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key.length === 0 || key.length > limits.idLength) {
    return invalid(`Send an Idempotency-Key of 1 to ${limits.idLength} characters.`);
  }
  const text = await readBody(request);
  const body = text === undefined ? undefined : parsed(text)?.value;
  const amount = isObject(body) ? body.amount : undefined;
  if (typeof amount !== 'number' || !Number.isInteger(amount) || amount < 1) {
    return invalid('amount must be a whole number of minor units.');
  }
  // No await from here until the refund is noted: two requests with one key cannot both get by.
  const earlier = deps.refunds.byKey(charge.id, key);
  if (earlier !== undefined) {
    if (earlier.amount !== amount) {
      return fault(422, 'idempotency_error', 'This Idempotency-Key was used with another amount.');
    }
    await deps.refunds.settled();
    return { kind: 'json', status: 200, text: JSON.stringify(earlier) };
  }
  if (charge.status !== 'succeeded') return invalid('No money of this charge was taken.');
  if (amount > charge.amount - deps.refunds.refundedOf(charge.id)) {
    return invalid('Less than that is left of this charge.');
  }
  const refund = {
    id: `re_sandbox_${base32(deps.random.bytes(15))}`,
    status: 'succeeded',
    charge: charge.id,
    amount,
    currency: charge.currency,
    idempotency_key: key,
    created_at: deps.clock.now().toISOString(),
  } as const;
  await deps.refunds.add(refund);
  return { kind: 'json', status: 200, text: JSON.stringify(refund) };
}

function invalid(words: string, status = 400): Answer {
  return fault(status, 'invalid_request_error', words);
}
