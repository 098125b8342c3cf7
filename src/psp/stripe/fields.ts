import { type Fields, fieldsOf, idOf } from '../answer-fields.ts';

/** The id of a field that Stripe gives as an id, or whole where it was expanded. */
export function refOf(value: unknown): string | undefined {
  return idOf(value) ?? idOf(fieldsOf(value)?.id);
}

/** A whole number, such as an amount in Stripe's units or a time in seconds. */
export function intOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The objects of a list, Stripe's own `{data: […]}` or a plain one. */
export function itemsOf(value: unknown): readonly Fields[] {
  const data = fieldsOf(value)?.data ?? value;
  if (!Array.isArray(data)) return [];
  return data.map(fieldsOf).filter((item) => item !== undefined);
}

/** A time that Stripe gives in whole seconds. */
export function timeOf(value: unknown): Date | undefined {
  const seconds = intOf(value);
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

/** When an object was made, in milliseconds; 0 where it does not say. */
export function createdMs({ created }: Fields): number {
  return timeOf(created)?.getTime() ?? 0;
}
