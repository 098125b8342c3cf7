import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type FastifySchema, fastify } from 'fastify';
import { routerPath } from '../router-path.ts';

/** An endpoint as its document shows it. */
export interface DescribedRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As the document writes it, with `{name}` for what differs. */
  readonly path: string;
  readonly schema: FastifySchema;
}

/** The OpenAPI 3.1 document of endpoints, as plain JSON, without the words of faults: answers give those. */
export async function openApiOf(
  head: NonNullable<FastifyDynamicSwaggerOptions['openapi']>,
  routes: readonly DescribedRoute[],
): Promise<object> {
  const app = fastify();
  await app.register(swagger, { openapi: { openapi: '3.1.0', ...head } });
  for (const { method, path, schema } of routes) {
    app.route({
      method,
      url: routerPath(path),
      config: { swaggerTransform: () => ({ schema, url: path }) },
      handler: async () => undefined,
    });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return JSON.parse(
    JSON.stringify(document, (key, value) => (key === 'x-fault' ? undefined : value)),
  ) as object;
}
