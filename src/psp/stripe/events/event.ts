import { present } from '../../../domain/present.ts';
import { type Fields, fieldsOf, idOf, textOf } from '../../answer-fields.ts';
import { timeOf } from '../fields.ts';

/** An event of Stripe as far as Recoup reads it (docs.stripe.com/api/events/object). */
export interface StripeEvent {
  readonly eventId: string;
  readonly type: string;
  readonly occurredAt: Date;
  /** What it is about, as it was then and in the shape of the endpoint's API version. */
  readonly object: Fields;
  /** The fields that an update changed, with their values before. */
  readonly previous: Fields;
  /** The connected account it is of, where it came to a platform. */
  readonly account?: string;
  /**
   * Whose event it is, where it came to an organization of several accounts: one id, or a path of ids
   * (docs.stripe.com/changelog/basil/2025-04-30/additional-context-organization-events).
   */
  readonly context?: string;
  /** The idempotency key of the request that led to it. */
  readonly requestKey?: string;
}

/** The event; undefined where a body has not its shape. */
export function readEvent(value: unknown): StripeEvent | undefined {
  const fields = fieldsOf(value);
  const data = fieldsOf(fields?.data);
  const eventId = idOf(fields?.id);
  const type = textOf(fields?.type);
  const occurredAt = timeOf(fields?.created);
  const object = fieldsOf(data?.object);
  if (eventId === undefined || type === undefined) return undefined;
  if (occurredAt === undefined || object === undefined) return undefined;
  const account = idOf(fields?.account);
  const context = idOf(fields?.context);
  const requestKey = textOf(fieldsOf(fields?.request)?.idempotency_key);
  return {
    eventId,
    type,
    occurredAt,
    object,
    previous: fieldsOf(data?.previous_attributes) ?? {},
    ...present({ account, context, requestKey }),
  };
}
