/** The type of `present`: what may be undefined becomes what may be absent. */
export type Present<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
    Fields[Key],
    undefined
  >;
};

/** The fields that have a value: an answer leaves out what there is none of, and writes no null. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Present<Fields>;
}
