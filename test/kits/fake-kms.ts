import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Asked {
  readonly KeyId?: string;
  readonly Plaintext?: string;
  readonly CiphertextBlob?: string;
  readonly EncryptionContext?: Readonly<Record<string, string>>;
}

/** What KMS says of a text that a key and a context do not open. */
const wrong = { status: 400, body: { __type: 'InvalidCiphertextException' } };

/**
 * AWS KMS as its API reference has it (JSON 1.1, `TrentService.Encrypt` and `.Decrypt`): symmetric keys,
 * the encryption context authenticated. Requests have to be signed, by whatever credentials.
 */
export async function fakeKms(arns: readonly string[]) {
  const keys = new Map(arns.map((arn) => [arn, randomBytes(32)]));
  const calls: { readonly action: string; readonly context: string }[] = [];
  let isDown = false;

  function answer(action: string, asked: Asked): { status: number; body: object } {
    if (isDown) return { status: 500, body: { __type: 'KMSInternalException' } };
    const key = keys.get(asked.KeyId ?? '');
    if (key === undefined) return { status: 400, body: { __type: 'NotFoundException' } };
    const context = JSON.stringify(asked.EncryptionContext ?? {});
    calls.push({ action, context });
    if (action === 'Encrypt') {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const body = cipher.update(Buffer.from(asked.Plaintext ?? '', 'base64'));
      const blob = Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]);
      const CiphertextBlob = blob.toString('base64');
      return { status: 200, body: { KeyId: asked.KeyId, CiphertextBlob } };
    }
    const blob = Buffer.from(asked.CiphertextBlob ?? '', 'base64');
    if (blob.length < 28) return wrong;
    const decipher = createDecipheriv('aes-256-gcm', key, blob.subarray(0, 12));
    decipher.setAAD(Buffer.from(context)).setAuthTag(blob.subarray(-16));
    try {
      const plain = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
      return { status: 200, body: { KeyId: asked.KeyId, Plaintext: plain.toString('base64') } };
    } catch {
      return wrong;
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const action = String(request.headers['x-amz-target']).replace('TrentService.', '');
      const isSigned = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') ?? false;
      const { status, body } = isSigned
        ? answer(action, JSON.parse(Buffer.concat(chunks).toString()))
        : { status: 400, body: { __type: 'MissingAuthenticationTokenException' } };
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    goDown: (down: boolean) => {
      isDown = down;
    },
  };
}
