import type { KMSClient } from '@aws-sdk/client-kms';
import { AppError } from '../../domain/errors.ts';
import type { KeyProvider } from './key-provider.ts';

/** The commands of the AWS SDK's client that are sent. */
type Sdk = Pick<typeof import('@aws-sdk/client-kms'), 'EncryptCommand' | 'DecryptCommand'>;

/** What the service says of a text that another key, or another context, has wrapped. */
const wrongKey = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/**
 * Wraps by AWS KMS (`Encrypt`, `Decrypt` of a symmetric key): the place of a data key is its encryption
 * context, which AWS authenticates and writes into its own log of who unwrapped what.
 */
export function awsKmsKeyProvider(
  deps: { readonly client: Pick<KMSClient, 'send'>; readonly sdk: Sdk },
  arn: string,
): KeyProvider {
  const { client, sdk } = deps;
  const EncryptionContext = (context: string) => ({ recoup: context });
  return {
    keyId: awsKeyId(arn),
    async wrap(plain, context) {
      const command = new sdk.EncryptCommand({
        KeyId: arn,
        Plaintext: plain,
        EncryptionContext: EncryptionContext(context),
      });
      const { CiphertextBlob } = await asked(() => client.send(command));
      return present(CiphertextBlob);
    },
    async unwrap(wrapped, context) {
      const command = new sdk.DecryptCommand({
        KeyId: arn,
        CiphertextBlob: wrapped,
        EncryptionContext: EncryptionContext(context),
      });
      const { Plaintext } = await asked(() => client.send(command));
      return present(Plaintext);
    },
  };
}

/** `aws-` and the key's own id, the end of its ARN: at most 40 characters. */
export function awsKeyId(arn: string): string {
  return `aws-${arn.slice(arn.lastIndexOf('/') + 1)}`;
}

function present(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes !== undefined) return bytes;
  throw new AppError('key_service_failed', 'AWS KMS answered without a key.');
}

/** Only the name of what AWS refused with: its words may quote the request. */
async function asked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'Error';
    if (wrongKey.has(name)) {
      throw new AppError('encryption_key_wrong', undefined, { cause: error });
    }
    throw new AppError('key_service_failed', `AWS KMS did not answer with a key (${name}).`, {
      cause: error,
    });
  }
}
