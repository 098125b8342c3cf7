import {
  actionCodes1993,
  adviceCodes,
  commonDeclineCodes,
  type DeclineCodeTable,
  declineSources,
  mastercardDeclineCodes,
  visaDeclineCodes,
} from '../../domain/declines/decline-codes.ts';
import type { PspDeclineRow, PspDeclineTable } from '../../domain/declines/psp-decline-rows.ts';
import { commonCategories } from '../../domain/declines/psp-statements.ts';
import { formatIsoDuration } from '../../domain/duration.ts';
import type { PspFacts } from '../../domain/psps/psp-facts.ts';
import { pspFacts, psps } from '../../domain/psps.ts';
import { markdownTable } from './markdown-table.ts';

const head = `# Declines

Generated from \`src/domain/declines/\` and \`src/domain/psps/\` by \`npm run generate\`; do not edit.

Every decline, whichever PSP it came from, gets one category. It decides what happens next:

| category | meaning | what follows |
|---|---|---|
| \`never\` | this card must not be charged again | no retry of this method, unless it is replaced by new data |
| \`fix_data\` | something stored is wrong or outdated | no retry of this method until it is updated |
| \`customer_action\` | the payer must act | no retry of this method until it is updated |
| \`later\` | the same charge may be approved at another time | a retry at the next planned time |
| \`technical\` | there was no answer from the issuer | a retry soon |
| \`review\` | a set-up that a person has to look at | no retry of this method until it is updated |

## Who is believed

The first source whose table knows what was said decides:

1. \`network_advice\`: the network's advice, such as Mastercard's merchant advice code
2. \`network_code\`: the network's response code (ISO 8583 field 39), by the table of the card's network
3. \`psp_advice\`: the PSP's advice, such as Stripe's \`advice_code\`
4. \`psp_code\`: the PSP's own code
5. \`psp_category\`: the PSP's coarse class, or the hard or soft mark of a merchant's report

A code that no table knows is ignored. What every source said is kept with the decline, as \`sources\`, the deciding
one first. Four rules stand beside the order:

- **A block of the acquirer wins** over a source that would allow another try, because the acquirer refuses the charge,
  or the network bills it, whatever the issuer said this time. It never softens a stricter source. Rows that block are
  marked below; those marked with Mastercard block only cards of that network, or of a network that is not known.
- **A response code of approval** (00 and its like) with a decline means that the PSP refused after the issuer's yes: it
  counts only where nobody else said anything.
- **What no table knows is \`later\`.** Visa's category 4, "every other decline", allows a retry; tries stay within the
  limits of the policy; and a code that a PSP adds overnight must not end every recovery that meets it.
- **A merchant's report that calls a decline hard** makes \`later\` and \`technical\` into \`fix_data\`: the merchant's
  system has seen more than the code. So does the reason of a bank debit of SEPA or ACH after which
  [its scheme](network-rules.md) lets nobody present it again as it is: \`AC04\`, \`MD01\`, \`R02\`.
- **The return codes of other bank debits** (PAD of Canada, BECS, Bacs) are none of cards, and are not read as such:
  \`14\` or \`909\` of theirs is \`later\`.

Visa has no advice of its own; of the advice codes that PSPs pass on with its cards only 03 and 21, which forbid a retry,
are heeded. The PSPs without a table here are read by what they pass on of the network, then by hard or soft.
`;

/** docs/declines.md: every code of every table with its category, meaning, source and reason. */
export function renderDeclinesDoc(): string {
  return [
    head,
    ...networkSections(),
    ...psps.flatMap((psp) => pspSection(pspFacts[psp])),
    section('Hard and soft, of any PSP', pspTable(commonCategories)),
    section('Sources of the network tables', sourceTable()),
  ].join('\n');
}

function networkSections(): readonly string[] {
  const tables: readonly (readonly [string, DeclineCodeTable])[] = [
    ['Response codes of any network', commonDeclineCodes],
    ['Response codes that Visa reads in its own way', visaDeclineCodes],
    ['Response codes that Mastercard reads in its own way', mastercardDeclineCodes],
    ['Action codes of three digits (American Express)', actionCodes1993],
  ];
  const advice = inOrder(adviceCodes).map(([code, row]) => [
    code,
    row.category === undefined ? 'the code decides' : `\`${row.category}\``,
    row.meaning,
    row.source,
    row.why ?? '',
  ]);
  return [
    section(
      'Advice codes',
      markdownTable(['code', 'category', 'meaning', 'source', 'why'], advice),
    ),
    ...tables.map(([title, rows]) => section(title, networkTable(rows))),
  ];
}

function networkTable(rows: DeclineCodeTable): string {
  const cells = inOrder(rows).map(([code, row]) => [
    code,
    `\`${row.category}\``,
    row.visaCategory === undefined
      ? row.meaning
      : `${row.meaning} (Visa category ${row.visaCategory})`,
    row.source,
    row.why ?? '',
  ]);
  return markdownTable(['code', 'category', 'meaning', 'source', 'why'], cells);
}

function pspSection({ name, declines: tables }: PspFacts): readonly string[] {
  if (tables === undefined) return [];
  const ranges = Object.fromEntries(
    (tables.ranges ?? []).map(({ from, to, row }) => [`${from} to ${to}, without a row`, row]),
  );
  const rest = tables.restByNetworkCode
    ? 'A code without a row is the response code of the network, read by its table.\n\n'
    : '';
  return [
    section(
      name,
      `Source: ${tables.source}.\n\n${rest}${pspTable({ ...tables.codes, ...ranges })}`,
    ),
    ...(tables.advice === undefined ? [] : [section(`${name}, advice`, pspTable(tables.advice))]),
    ...(tables.categories === undefined
      ? []
      : [section(`${name}, classes`, pspTable(tables.categories))]),
  ];
}

function pspTable(rows: PspDeclineTable): string {
  const cells = inOrder(rows).map(([code, row]) => [
    `\`${code}\``,
    `\`${row.category}\``,
    row.name === undefined || row.name === row.meaning
      ? row.meaning
      : `${row.name}: ${row.meaning}`,
    notes(row),
  ]);
  return markdownTable(['code', 'category', 'meaning', 'why'], cells);
}

function notes(row: PspDeclineRow): string {
  return [
    row.pspClass === undefined ? '' : `(${row.pspClass})`,
    row.blocks === undefined
      ? ''
      : row.blocks === 'always'
        ? '**Blocks.**'
        : '**Blocks (Mastercard).**',
    row.waitMs === undefined ? '' : `Not again within \`${formatIsoDuration(row.waitMs)}\`.`,
    row.why ?? '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function sourceTable(): string {
  return markdownTable(['source', 'what it is'], Object.entries(declineSources));
}

/** By code, since an object gives its whole numbers first whatever order they were written in. */
function inOrder<Row>(rows: Readonly<Record<string, Row>>): readonly (readonly [string, Row])[] {
  return Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1));
}

function section(title: string, text: string): string {
  return `## ${title}\n\n${text}`;
}
