import { type Agent, request } from 'undici';
import { invariant } from '../../domain/errors.ts';
import type { LinkCalls } from './world-customers.ts';

/** The service's recovery API, as the world's merchant reaches it. */
export interface WorldApi {
  readonly agent: Agent;
  readonly url: string;
  readonly key: string;
}

export async function send(api: WorldApi, path: string, body: object): Promise<void> {
  const { status, text } = await call(api, path, body);
  invariant(status < 300, `a report is taken: ${status} ${text}`);
}

/** A link that ended with its payment's window is answered 410. */
export function linkCalls(api: WorldApi): LinkCalls {
  return {
    async isOpen(token) {
      const { status, text } = await call(api, `/recover/customer_links/${token}`);
      invariant(status === 200 || status === 410, `a link is looked up: ${status} ${text}`);
      return status === 200;
    },
    tell: (token, path, body) => send(api, `/recover/customer_links/${token}/${path}`, body),
  };
}

async function call(
  { agent, url, key }: WorldApi,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await request(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    dispatcher: agent,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}
