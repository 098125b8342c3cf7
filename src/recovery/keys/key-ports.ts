/** A rotation: everything that is wrapped is wrapped anew by one key. */
export interface KeyRotation {
  readonly rotationId: string;
  readonly state: 'running' | 'done';
  /** The wrapping key that all is to be wrapped by. */
  readonly keyId: string;
  /** Whether every merchant gets a new data key first. */
  readonly newDataKeys: boolean;
  /** New data keys, and keys that were wrapped anew, so far. */
  readonly made: number;
  readonly rewrapped: number;
  readonly startedAt: Date;
  readonly updatedAt: Date;
  readonly endedAt?: Date;
}

/** A wrapping key that something is wrapped by. */
export interface WrappedBy {
  readonly keyId: string;
  readonly count: number;
}

export interface RotationStore {
  /** Begins one; the one that is under way goes on, to this key. */
  begin(input: {
    readonly rotationId: string;
    readonly keyId: string;
    readonly newDataKeys: boolean;
    readonly at: Date;
  }): Promise<KeyRotation>;
  /** One page of the rotation that is under way. @throws AppError encryption_key_wrong */
  step(at: Date): Promise<{ readonly keys: number; readonly ended: boolean }>;
  /** The last one. */
  latest(): Promise<KeyRotation | undefined>;
  countWrapped(): Promise<readonly WrappedBy[]>;
}

/** A wrapping key, as the operator is shown it. */
export interface WrappingKeyView {
  readonly keyId: string;
  readonly use: 'current' | 'other' | 'unknown';
  /** Keys that it wraps. */
  readonly wraps: number;
  /** Nothing needs it any more but backups and processes that still have it as ENCRYPTION_KEY. */
  readonly removable: boolean;
}

export interface KeysReport {
  readonly keys: readonly WrappingKeyView[];
  readonly rotation?: KeyRotation;
}

export interface KeysApi {
  /** Has everything wrapped by the present key. @throws AppError conflict where one is not known */
  rotateKeys(input: { readonly newDataKeys: boolean }): Promise<KeyRotation>;
  showKeys(): Promise<KeysReport>;
}
