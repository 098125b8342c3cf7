import type { FastifyInstance } from 'fastify';
import type { StopMessages } from '../../../recovery/messages/stop-messages.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { serveEndpoints } from '../../endpoint/serve-endpoints.ts';
import type { Answer } from '../../server/answer.ts';

interface Context {
  readonly stopMessages: StopMessages;
}

const path = '/unsubscribe/{token}';

/**
 * Asks, and changes nothing: links in messages are opened by whatever looks through them for viruses
 * (RFC 8058, section 3).
 */
const askToStop = defineEndpoint({
  method: 'GET',
  path,
  access: 'open',
  async answer(_asked, _context: Context) {
    return page(
      200,
      'No more messages?',
      '<form method="post"><button>Send me no more of these messages</button></form>',
    );
  },
});

/** One request, whatever is in it: a mail program's button sends it, or the page above. */
const stopMessages = defineEndpoint({
  method: 'POST',
  path,
  access: 'open',
  async answer({ exchange }, { stopMessages: stop }: Context) {
    const token = (exchange.request.params as { readonly token?: string }).token ?? '';
    if (await stop(token)) return page(200, 'Done', '<p>You get no more of these messages.</p>');
    return page(404, 'Not found', '<p>This link is not complete. Please copy the whole of it.</p>');
  },
});

/** Adds the one page of this port that customers see. It asks for no credentials: the link is one. */
export function addUnsubscribe(server: FastifyInstance, context: Context): void {
  serveEndpoints<never, Context>(server, {
    endpoints: [askToStop, stopMessages],
    stages: [],
    compile: () => async (exchange) => ({
      kind: 'asked',
      asked: { path: undefined, query: undefined, body: undefined, exchange },
    }),
    context: () => context,
  });
}

function page(status: number, title: string, content: string): Answer {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
  return {
    status,
    body,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  };
}
