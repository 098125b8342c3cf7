/** A document of an API, and where its JSON is. */
export interface ListedDocument {
  readonly title: string;
  readonly path: string;
  readonly document: object;
}

/** What of an OpenAPI document is listed. */
interface Listed {
  readonly info?: { readonly description?: string };
  readonly paths?: Readonly<Record<string, Operations>>;
  readonly webhooks?: Readonly<Record<string, Operations>>;
}

type Operations = Readonly<Record<string, { readonly summary?: string }>>;

/**
 * A server's reference as `llms.txt`: which documents there are, and every operation of them in a line,
 * so that an assistant that reads plain text alone finds what to call.
 */
export function llmsText(input: {
  readonly title: string;
  readonly documents: readonly ListedDocument[];
}): string {
  const [first] = input.documents;
  return `${[
    `# ${input.title}`,
    '',
    `> ${summaryOf(first?.document ?? {})}`,
    '',
    'Recoup recovers failed subscription payments: it is told of them, asks the merchant before each charge, charges once, and sends the result.',
    '',
    '## Reference',
    '',
    '- [For people](/docs): the same, with forms to try the calls',
    ...input.documents.map(
      ({ title, path }) => `- [${title}](${path}): OpenAPI 3.1, with examples`,
    ),
    ...input.documents.flatMap(({ title, document }) => [
      '',
      `## ${title}`,
      '',
      ...operationLines(document),
    ]),
  ].join('\n')}\n`;
}

/** The first paragraph of its description, as one line. */
function summaryOf({ info }: Listed): string {
  const [paragraph = ''] = (info?.description ?? '').split('\n\n');
  return paragraph.replaceAll('\n', ' ');
}

function operationLines({ paths = {}, webhooks = {} }: Listed): readonly string[] {
  return [
    ...Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(
        ([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary ?? ''}`,
      ),
    ),
    ...Object.entries(webhooks).map(
      ([name, operations]) => `- webhook \`${name}\`: ${operations.post?.summary ?? ''}`,
    ),
  ];
}
