import type { TSchema } from 'typebox';
import type { Fault } from '../domain/json/fault.ts';
import { compileSchema } from './check-schema.ts';

/** A query's parameters of the schema's type, or everything wrong with them. */
export type QueryResult =
  | { readonly kind: 'query'; readonly query: unknown }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] };

const digits = /^\d{1,9}$/;

/**
 * Compiles the check of a query: every parameter once at most, integers in digits, no NUL
 * character, which PostgreSQL refuses. Parameters that the schema does not declare are ignored.
 */
export function compileQuery(schema: TSchema): (query: unknown) => QueryResult {
  const check = compileSchema(schema, characterFaults);
  const declared = (schema as { properties?: Record<string, { type?: unknown }> }).properties ?? {};
  return (query) => {
    const values: Record<string, unknown> = {};
    const repeated: Fault[] = [];
    for (const [name, value] of Object.entries(query as Record<string, unknown>)) {
      if (!Object.hasOwn(declared, name)) continue;
      if (Array.isArray(value)) repeated.push({ at: name, text: 'Parameter given more than once' });
      else values[name] = declared[name]?.type === 'integer' ? integerOr(value) : value;
    }
    const faults = [...repeated, ...check(values)];
    return faults.length === 0 ? { kind: 'query', query: values } : { kind: 'faults', faults };
  };
}

function integerOr(value: unknown): unknown {
  return typeof value === 'string' && digits.test(value) ? Number(value) : value;
}

/** Texts of a URL that PostgreSQL would refuse. A body is read for them as JSON. */
export function characterFaults(values: unknown): readonly Fault[] {
  return Object.entries(values as Record<string, unknown>).flatMap(([at, value]) =>
    typeof value === 'string' && value.includes('\0')
      ? [{ at, text: 'String should not contain NUL characters' }]
      : [],
  );
}
