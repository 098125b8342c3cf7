/** What is kept of a file at Braintree, from one call to the next. */
export interface FileReference {
  /** Of the upload; empty where there was none. */
  readonly documentId: string;
  /** It was being added, when so many others of the category lay there. */
  readonly adding?: { readonly category: string; readonly others: number };
  /** It lies beside the dispute as this piece. */
  readonly evidenceId?: string;
}

/** `document`, `document/CATEGORY/2` or `document:evidence`. */
export function writeReference({ documentId, adding, evidenceId }: FileReference): string {
  if (evidenceId !== undefined) return `${documentId}:${evidenceId}`;
  return adding === undefined ? documentId : `${documentId}/${adding.category}/${adding.others}`;
}

export function readReference(reference: string | undefined): FileReference {
  const [, documentId = '', category, others, evidenceId] =
    /^([^/:]+)(?:\/(\w+)\/(\d+)|:(.+))?$/.exec(reference ?? '') ?? [];
  if (evidenceId !== undefined) return { documentId, evidenceId };
  return category === undefined
    ? { documentId }
    : { documentId, adding: { category, others: Number(others) } };
}
