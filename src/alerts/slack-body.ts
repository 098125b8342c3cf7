import type { AlertMessage } from '../recovery/alerts/alert-ports.ts';
import {
  headline,
  itemLines,
  itemTitle,
  type Links,
  moreLine,
  shownItems,
} from './message-text.ts';

/** Slack takes 3,000 characters in a section's text (docs.slack.dev/reference/block-kit/blocks/section-block). */
const maxSectionText = 3_000;

interface Section {
  readonly type: 'section';
  readonly text: { readonly type: 'mrkdwn'; readonly text: string };
}

/** What an incoming webhook of Slack takes, and of those that took over its form (Mattermost, Discord's /slack). */
export interface SlackBody {
  /** Read out, and shown in notifications. */
  readonly text: string;
  readonly blocks: readonly Section[];
}

export function slackBody(message: Pick<AlertMessage, 'items'>, links: Links): SlackBody {
  const { shown, more } = shownItems(message);
  const texts = shown.map((item) =>
    [`*${escaped(itemTitle(item))}*`, ...itemLines(item, links).map(escaped)].join('\n'),
  );
  return {
    text: escaped(headline(message)),
    blocks: [...texts, ...moreLine(more)].map(section),
  };
}

function section(text: string): Section {
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, maxSectionText) } };
}

/** Slack's three control characters: nothing in a name may mention a channel or hide a link. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
