import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deduplicationId, signWebhook } from '../../src/merchant/signature.ts';
import { standardWebhookHeaders } from '../../src/merchant/standard-webhooks.ts';

const page = readFileSync(new URL('../../docs/verifying-webhooks.md', import.meta.url), 'utf8');

/** The value in the test vector's table row that starts with this name. */
function row(name: string): string {
  const vector = page.slice(page.indexOf('## Test vector'));
  const value = vector.split('\n').find((line) => line.startsWith(`| ${name} |`));
  return /\| `([^`]+)` \|$/.exec(value ?? '')?.[1] ?? `no row ${name}`;
}

function block(language: string): string {
  const [, text = `no block ${language}`] =
    new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(page) ?? [];
  return text;
}

const secret = row('signing secret');
const body = block('json');
const eventId = row('`webhook-id`');
const signature = row('`X-Service-Webhook-Signature`');
const expiration = row('`X-Service-Webhook-Expiration`');

describe('the page on verifying webhooks', () => {
  it('gives the signature that the code makes', () => {
    expect(signWebhook({ secret, body, expiresAtUnix: Number(expiration) })).toBe(signature);
  });

  it('gives the deduplication id that the code makes', () => {
    expect(deduplicationId(eventId)).toBe(row('`X-Service-Webhook-Deduplication-ID`'));
  });

  it('gives the Standard Webhooks headers that the code makes', () => {
    const sentAtUnix = Number(row('`webhook-timestamp`'));
    const headers = standardWebhookHeaders({ eventId, sentAtUnix, body, secrets: [secret] });
    expect(headers['webhook-signature']).toBe(row('`webhook-signature`'));
    expect(headers['webhook-id']).toBe(eventId);
    expect(Number(expiration) - sentAtUnix).toBe(300);
  });

  it('feeds openssl the same bytes', () => {
    const shell = block('sh');
    expect(Buffer.byteLength(body)).toBe(478);
    expect(shell).toContain(`BODY='${body}'\nSECRET='${secret}'\n`);
    expect(shell).toContain(`"$BODY" ${expiration} | openssl`);
    expect(shell).toContain(`${eventId} ${row('`webhook-timestamp`')} "$BODY"`);
  });

  it('has a sample that works', async () => {
    const { isGenuine } = await import(
      /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(block('js'))}`
    );
    const expiresMs = Number(expiration) * 1000;
    const judge = (
      over: Partial<Record<'body' | 'expiration' | 'signature', string>>,
      at: number,
    ) =>
      isGenuine(
        Buffer.from(over.body ?? body),
        over.expiration ?? expiration,
        over.signature ?? signature,
        ['another secret', secret],
        at,
      );
    expect(judge({}, expiresMs)).toBe(true);
    expect(judge({}, expiresMs + 1)).toBe(false);
    expect(judge({ body: `${body} ` }, expiresMs)).toBe(false);
    expect(judge({ expiration: `${Number(expiration) + 1}` }, expiresMs)).toBe(false);
    expect(judge({ expiration: '' }, expiresMs)).toBe(false);
    expect(judge({ signature: '' }, expiresMs)).toBe(false);
    expect(judge({ signature: signature.toUpperCase() }, expiresMs)).toBe(false);
  });
});
