// Generated from openapi/operator.json by npm run generate; do not edit.

/** A view of the dashboard. */
export type SavedViewJson = {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Other operators see it too. */
  readonly is_shared: boolean;
  /** You saved it. */
  readonly is_own: boolean;
};

export type ListSavedViewsAnswer = {
  readonly items: readonly SavedViewJson[];
};

export type SaveViewBody = {
  /** What it is called; one of yours of the same name is replaced. */
  readonly name: string;
  /** An address of the dashboard after its host, with its filters. */
  readonly path: string;
  /** Default: false. Needs the role operator. */
  readonly is_shared?: boolean;
};
