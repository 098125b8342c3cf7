import { measuredText, shareText } from '../share-text.ts';
import { table } from '../table.ts';
import { bestFixedDays } from './best-fixed-days.ts';
import type { CountedArm, PlayedMessages } from './played-messages.ts';
import { type EndToEndInput, type EndToEndResult, runEndToEnd } from './run-end-to-end.ts';

export type MessagesInput = Pick<
  EndToEndInput,
  'seed' | 'failures' | 'days' | 'onDay' | 'settings'
>;

/** What messages brought, as the service says it, as it is counted outside, and as it would have been without. */
export interface MessagesResult extends Omit<PlayedMessages, 'written'> {
  readonly breaches: number;
  /**
   * Of the payers who were written to: recovered in this world, less recovered in the same world had nobody been. Known
   * to no merchant.
   */
  readonly trueDifference: number;
}

const maxAttempts = 4;
const usualWindowDays = 14;
/** Wider than the usual tenth, so that a few hundred payments tell both arms apart. */
const holdoutShare = 0.3;

/**
 * Plays the whole service with messages to customers, and once more the same world without any: the same payers, the
 * same luck, the same fixed schedule. No model is trained.
 */
export async function simulateMessagesEndToEnd(input: MessagesInput): Promise<MessagesResult> {
  const { seed, days } = input;
  const windowDays = Math.min(usualWindowDays, days);
  const run = (isOn: boolean): Promise<EndToEndResult> =>
    runEndToEnd({
      ...input,
      tailDays: Math.max(0, Math.min(windowDays, days - 1)),
      windowDays,
      maxAttempts,
      fixedDays: bestFixedDays({ seed, windowDays, maxAttempts }),
      holdoutShare,
      exploreShare: 0,
      learnedShare: 0,
      messages: { isOn, holdoutShare },
    });
  const [told, untold] = [await run(true), await run(false)];
  const { written = [], ...played } = told.messages ?? noMessages();
  const recoveredIn = ({ ends }: EndToEndResult): number => {
    const recovered = new Set(ends.filter((end) => end.recovered).map(({ index }) => index));
    return written.filter((index) => recovered.has(index)).length;
  };
  const trueDifference = (recoveredIn(told) - recoveredIn(untold)) / Math.max(1, written.length);
  return { ...played, breaches: told.breaches + untold.breaches, trueDifference };
}

function noMessages(): never {
  throw new RangeError('a run with messages says what they came to');
}

export function messagesEndToEndReport(result: MessagesResult): string {
  const { report, customers, messages, holdout, breaches, trueDifference } = result;
  const [compared] = report.currencies;
  const rows = [
    { name: 'with messages', said: compared?.messages, counted: messages },
    { name: 'held out', said: compared?.holdout, counted: holdout },
  ];
  return [
    `${customers.mails} messages came; ${customers.opened} links were opened, and ${customers.acted} payers gave a method there.`,
    table(
      rows,
      [
        { head: 'PAYMENTS', text: ({ name }) => name },
        { head: 'N', text: ({ said }) => String(said?.payments ?? 0), align: 'right' },
        { head: 'RECOVERED', text: ({ said }) => String(said?.recovered ?? 0), align: 'right' },
        { head: 'RATE', text: ({ said }) => measuredText(said?.recovered_rate) },
        { head: 'COUNTED OUTSIDE', text: ({ counted }) => countedText(counted) },
      ],
      'none',
    ),
    `Difference of the rates, as the service reports it: ${measuredText(compared?.verdict?.rate)}.`,
    `The same payers in the same world without any message: ${shareText(trueDifference)} less (the truth of this world).`,
    `${breaches} breaches of the engine's promises.`,
  ].join('\n\n');
}

function countedText({ payments, recovered }: CountedArm): string {
  return `${recovered} of ${payments}`;
}
