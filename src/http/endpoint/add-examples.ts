import { type ExampleSchema, exampleOf } from './example-of.ts';

interface Media {
  readonly schema?: ExampleSchema & { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: unknown;
}

/**
 * The answers of one operation, each with an example where its schema has one. `ofComponent` gives
 * that of an answer which names a shared component, by its status.
 */
export function withExamples(
  responses: object,
  ofComponent: (status: number) => unknown = () => undefined,
): object {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { content } = response as { readonly content?: Readonly<Record<string, Media>> };
      if (content === undefined) return [status, response];
      const media = Object.entries(content).map(([type, each]) => {
        if (each.example !== undefined || each.examples !== undefined) return [type, each];
        const isComponent = each.schema?.$ref !== undefined;
        const example = isComponent ? ofComponent(Number(status)) : exampleOf(each.schema ?? {});
        return [type, example === undefined ? each : { ...each, example }];
      });
      return [status, { ...response, content: Object.fromEntries(media) }];
    }),
  );
}
