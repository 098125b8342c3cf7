import { definitionOf, fieldTexts, inPlace, type Schema, type TypeScope } from './schema-type.ts';

/** A shape whose type stands once, in the file of what it is about. */
export interface NamedShape {
  readonly name: string;
  readonly schema: Schema;
  /** What its own fields are as text, to know larger shapes by. */
  readonly fields: readonly string[];
  /** Its description, where that is the same everywhere: others speak of their places. */
  readonly words: string | undefined;
  /** The tag of the first operation that has it. */
  readonly tag: string;
}

/** A schema of an operation, and where it stands in it. */
export interface PlacedSchema {
  readonly tag: string;
  readonly at: string;
  readonly schema: Schema;
}

/** Fewer fields than that are had in common by chance. */
const fewestBaseFields = 5;

/**
 * The shapes that have titles, by their names, in the order in which operations have them. Throws
 * where a title stands for two shapes, and where a shape without one occurs twice: which word is the
 * field's, nothing but its declaration can say.
 */
export function namedShapes(placed: readonly PlacedSchema[]): ReadonlyMap<string, NamedShape> {
  const titled = titledSchemas(placed);
  const found = new Map<string, NamedShape>();
  const seen = new Map<string, string>();

  const visit = ({ tag, at, schema }: PlacedSchema): void => {
    const { title } = schema;
    if (title !== undefined) {
      if (found.has(title)) return;
      const { fields = [], words } = titled.get(title) ?? {};
      found.set(title, { name: title, schema, fields, words, tag });
    } else if (isWorthName(schema)) {
      const text = definitionOf(schema, inPlace);
      const other = seen.get(text);
      if (other !== undefined)
        throw new Error(`${other} and ${at} are one shape: give it a title.`);
      seen.set(text, at);
    }
    const base = baseIn(titled, schema);
    if (base !== undefined) visit({ tag, at, schema: base.schema });
    for (const [name, part] of partsOf(base?.own ?? schema)) {
      visit({ tag, at: `${at}.${name}`, schema: part });
    }
  };
  for (const each of placed) visit(each);
  return found;
}

/** Types written beside those shapes. `used` is given the names that they refer to. */
export function scopeOf(shapes: ReadonlyMap<string, NamedShape>, used: Set<string>): TypeScope {
  const use = (name: string): string => {
    used.add(name);
    return name;
  };
  return {
    nameOf: ({ title }) => (title === undefined ? undefined : use(title)),
    baseOf(schema) {
      const base = baseIn(shapes, schema);
      return base === undefined ? undefined : { name: use(base.name), own: base.own };
    },
  };
}

type Titled = Pick<NamedShape, 'schema' | 'fields' | 'words'>;

function titledSchemas(placed: readonly PlacedSchema[]): ReadonlyMap<string, Titled> {
  const titled = new Map<string, Titled>();
  for (const schema of placed.flatMap((each) => withParts(each.schema))) {
    const { title, description: words } = schema;
    if (title === undefined) continue;
    const other = titled.get(title);
    if (other === undefined) {
      titled.set(title, { schema, fields: fieldTexts(schema, inPlace, ''), words });
    } else if (definitionOf(other.schema, inPlace) !== definitionOf(schema, inPlace)) {
      throw new Error(`${title} is the title of two different shapes.`);
    } else if (other.words !== words) {
      titled.set(title, { ...other, words: undefined });
    }
  }
  return titled;
}

function withParts(schema: Schema): readonly Schema[] {
  return [schema, ...partsOf(schema).flatMap(([, part]) => withParts(part))];
}

/** Objects and lists of words; a pair of words, or a lone field, is read as fast as a name. */
function isWorthName({ properties = {}, enum: words = [] }: Schema): boolean {
  return Object.keys(properties).length > 1 || words.length > 2;
}

/** The largest named object all of whose fields a larger one has, with what that has beside them. */
function baseIn(titled: ReadonlyMap<string, Titled>, schema: Schema) {
  if (schema.properties === undefined) return undefined;
  if (Object.keys(schema.properties).length <= fewestBaseFields) return undefined;
  const fields = new Set(fieldTexts(schema, inPlace, ''));
  const bases = [...titled].flatMap(([name, { schema: base, fields: inherited }]) => {
    const isBase =
      inherited.length >= fewestBaseFields &&
      inherited.length < fields.size &&
      inherited.every((field) => fields.has(field));
    return isBase ? [{ name, schema: base, size: inherited.length }] : [];
  });
  const [base] = bases.sort((a, b) => b.size - a.size);
  if (base === undefined) return undefined;
  const isOwn = ([name]: readonly [string, Schema]) => base.schema.properties?.[name] === undefined;
  const own = Object.fromEntries(Object.entries(schema.properties).filter(isOwn));
  return { ...base, own: { ...schema, properties: own } };
}

function partsOf(schema: Schema): readonly (readonly [string, Schema])[] {
  const { properties = {}, items, additionalProperties: others } = schema;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return [
    ...Object.entries(properties),
    ...(items === undefined ? [] : [['[]', items] as const]),
    ...(typeof others === 'object' ? [['{}', others] as const] : []),
    ...choices.map((choice, index) => [`${index + 1}`, choice] as const),
  ];
}
