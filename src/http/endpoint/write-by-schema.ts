import fastJson from 'fast-json-stringify';

/**
 * How answers of a shape are written as JSON: as Fastify does it, but compiled when the first one is
 * written, not for every endpoint at each start.
 */
export function writeBySchema({ schema }: { readonly schema: unknown }): (data: unknown) => string {
  let write: ((data: unknown) => string) | undefined;
  return (data) => {
    write ??= fastJson(schema as fastJson.AnySchema);
    return write(data);
  };
}
