/** What is read of a JSON Schema here, beside the check by it. */
export interface Shape {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly format?: unknown;
  readonly oneOf?: unknown;
  readonly additionalProperties?: unknown;
  /** An id: what is in it is never changed. */
  readonly 'x-id'?: true;
  /** A secret, or bytes that something is signed over: neither looked at nor changed. */
  readonly 'x-verbatim'?: true;
}

/** The members of objects whose members are declared; undefined where anything may be in it. */
export function membersOf(shape: Shape | undefined): Readonly<Record<string, Shape>> | undefined {
  if (shape?.properties === undefined || typeof shape.additionalProperties === 'object') {
    return undefined;
  }
  return shape.properties;
}

/**
 * Takes out members that are null where the schema asks for something else and can do without: an
 * optional field that is null is not there. What is in free objects stays as it is.
 */
export function dropNulls(shape: Shape, value: unknown): void {
  if (Array.isArray(value)) {
    if (shape.items !== undefined) for (const item of value) dropNulls(shape.items, item);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const members = value as Record<string, unknown>;
  for (const [name, of] of Object.entries(shape.properties ?? {})) {
    if (!Object.hasOwn(members, name)) continue;
    if (members[name] !== null) dropNulls(of, members[name]);
    else if (shape.required?.includes(name) !== true && !takesNull(of)) delete members[name];
  }
}

function takesNull({ type, ...rest }: Shape): boolean {
  if (Array.isArray(type)) return type.includes('null');
  if (type !== undefined) return type === 'null';
  return rest.oneOf === undefined && !('anyOf' in rest) && rest.enum === undefined;
}
