/** A file of the built dashboard, as it is sent. */
export interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** The same, compressed; absent where that saves nothing. */
  readonly gzip?: Buffer;
  /** Its name holds a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
}

/** `files` by their paths below `/`, such as `index.html` and `assets/index-Ab12.js`. */
export type DashboardState =
  | { readonly kind: 'ready'; readonly files: ReadonlyMap<string, StaticFile> }
  | { readonly kind: 'building' }
  /** `message` is what the build said last. */
  | { readonly kind: 'failed'; readonly message: string };

/** The dashboard that the operator's port serves, wherever its files come from. */
export interface Dashboard {
  state(): DashboardState;
}
