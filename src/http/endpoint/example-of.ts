/** What an example is read from: the parts of JSON Schema that the answers' schemas use. */
export interface ExampleSchema {
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: unknown;
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
}

/**
 * An example of a schema: its own, or one put together of those of its parts, such as a page of one
 * item. Undefined where a required part has none.
 */
export function exampleOf(schema: ExampleSchema): unknown {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.items !== undefined) {
    const item = exampleOf(schema.items);
    return item === undefined ? undefined : [item];
  }
  if (schema.properties === undefined) return undefined;
  const members = (schema.required ?? []).map(
    (name) => [name, exampleOf(schema.properties?.[name] ?? {})] as const,
  );
  if (members.some(([, value]) => value === undefined)) return undefined;
  return Object.fromEntries(members);
}
