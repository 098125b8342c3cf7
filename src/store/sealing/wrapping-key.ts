/** What wraps the data keys, as a setting names it. */
export type WrappingKey =
  /** 32 bytes of our own. */
  | { readonly kind: 'local'; readonly bytes: Uint8Array }
  /** A symmetric key of AWS KMS, which never leaves it. */
  | { readonly kind: 'aws_kms'; readonly region: string; readonly arn: string };
