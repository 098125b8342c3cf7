/** The type of `present`: what may be undefined becomes what may be absent. */
export type Present<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
    Fields[Key],
    undefined
  >;
};

/**
 * The fields that have a value: what there is none of is left out, and written as no null. The one way
 * here to make a field that may be absent; `...(condition && { … })` is for fields that hang on something
 * else than their own value. A loop, since plans and batches make thousands of these a second.
 */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const given: Partial<Fields> = {};
  for (const key in fields) {
    if (fields[key] !== undefined) given[key] = fields[key];
  }
  return given as object as Present<Fields>;
}
