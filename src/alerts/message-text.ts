import { alertKinds } from '../domain/alerts/alert-kinds.ts';
import type { AlertItem, AlertMessage } from '../recovery/alerts/alert-ports.ts';

/** Items that are written out; the rest is counted. A burst would not fit into what Slack takes. */
const maxItems = 20;

const stateWords: Readonly<Record<AlertItem['state'], string>> = {
  firing: 'Alert',
  resolved: 'Resolved',
  test: 'Test',
};

/** Where the pages are, for links. Absent: none are written. */
export interface Links {
  /** Address of the dashboard without a slash at its end. */
  readonly dashboard?: string | undefined;
}

/** The message in one line. */
export function headline({ items }: Pick<AlertMessage, 'items'>): string {
  const [first] = items;
  if (first === undefined) return 'Recoup: nothing';
  const more = items.length === 1 ? '' : ` and ${items.length - 1} more`;
  return `Recoup: ${itemTitle(first)}${more}`;
}

/** One alert in one line, without what would begin another. */
export function itemTitle({ state, title }: AlertItem): string {
  return `${stateWords[state]}: ${oneLine(title)}`;
}

/** What is known of an alert below its title, a line each. */
export function itemLines(item: AlertItem, { dashboard }: Links): readonly string[] {
  const { meaning, action, page } = alertKinds[item.kind];
  const found = `${oneLine(item.detail)} (${item.at.toISOString()})`;
  if (item.state !== 'firing') return [found];
  const link = dashboard === undefined ? [] : [`${dashboard}${page}`];
  return [found, meaning, action, ...link];
}

/** The items that are written out, and how many are not. */
export function shownItems({ items }: Pick<AlertMessage, 'items'>): {
  readonly shown: readonly AlertItem[];
  readonly more: number;
} {
  return { shown: items.slice(0, maxItems), more: Math.max(0, items.length - maxItems) };
}

/** The message as plain text. */
export function plainText(message: Pick<AlertMessage, 'items'>, links: Links): string {
  const { shown, more } = shownItems(message);
  const parts = shown.map((item) =>
    [itemTitle(item), ...itemLines(item, links).map((line) => `  ${line}`)].join('\n'),
  );
  return `${[...parts, ...moreLine(more)].join('\n\n')}\n`;
}

/** That there are more than are written out. */
export function moreLine(more: number): readonly string[] {
  return more === 0 ? [] : [`${more} more, on the page Alerts.`];
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
