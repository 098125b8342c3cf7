import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { llmsText } from './llms-text.ts';
import { referencePage, referencePolicy, startScript } from './reference-page.ts';
import { scalarScript } from './scalar-script.ts';

/** An OpenAPI document that a server gives out below `/docs`. */
export interface ServedDocument {
  readonly title: string;
  /** Such as `openapi.json`. */
  readonly file: string;
  /** Made when it is asked for first. */
  make(): Promise<object>;
  /** Whether it describes this server, so that the reader may try its calls from the page. */
  readonly isOfThisServer: boolean;
}

export interface DocsOptions {
  readonly title: string;
  readonly documents: readonly ServedDocument[];
  /** The name of the security scheme in the documents. */
  readonly securityScheme: string;
}

const scriptAgeSeconds = 3600;

/**
 * Adds the API reference to a server: `GET /docs`, its two scripts and the documents, and `GET /llms.txt`,
 * which lists them for assistants (https://llmstxt.org). It needs no credentials, since it tells nothing but what this page's public source does, and it asks nobody else.
 */
export function addDocs(server: FastifyInstance, options: DocsOptions): void {
  const page = referencePage({
    ...options,
    documents: options.documents.map(({ title, file }) => ({ title, path: `/docs/${file}` })),
  });
  add('/docs', 'text/html; charset=utf-8', async () => page);
  add('/docs/start.js', 'text/javascript; charset=utf-8', async () => startScript);
  add('/docs/scalar.js', 'text/javascript; charset=utf-8', async (request, reply) => {
    reply.header('cache-control', `public, max-age=${scriptAgeSeconds}`);
    reply.header('vary', 'accept-encoding');
    const script = await scalarScript();
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return unzip(script);
    reply.header('content-encoding', 'gzip');
    return script;
  });
  const list = once(async () =>
    llmsText({
      title: options.title,
      documents: await Promise.all(
        options.documents.map(async (each) => ({
          title: each.title,
          path: `/docs/${each.file}`,
          document: await each.make(),
        })),
      ),
    }),
  );
  add('/llms.txt', 'text/plain; charset=utf-8', list);
  for (const document of options.documents) {
    const text = once(async () => JSON.stringify(served(await document.make(), document)));
    add(`/docs/${document.file}`, 'application/json', text);
  }

  function add(
    url: string,
    type: string,
    content: (request: FastifyRequest, reply: FastifyReply) => Promise<string | Buffer>,
  ): void {
    server.route({
      method: ['GET', 'HEAD'],
      url,
      schema: { hide: true },
      handler: async (request, reply) => {
        reply.headers({
          'request-id': request.id,
          'cache-control': 'no-store',
          'content-security-policy': referencePolicy,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        });
        const body = await content(request, reply);
        return reply.type(type).serializer(asItIs).send(body);
      },
    });
  }
}

const unzip = promisify(gunzip);

function asItIs(body: unknown): string {
  return body as string;
}

/** The document with this server as its own, whatever address the reader came by. */
function served(document: object, { isOfThisServer }: ServedDocument): object {
  return isOfThisServer ? { ...document, servers: [{ url: '/' }] } : document;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
