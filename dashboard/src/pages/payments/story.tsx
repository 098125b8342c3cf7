import type { TimelineEntryJson } from '../../api/generated/payments.ts';
import { Amount } from '../../parts/amount.tsx';
import { localTimes } from '../../parts/format-time.ts';
import { Time } from '../../parts/time.tsx';

/** A shape for each kind of entry; the words beside it say the same. */
const marks: Readonly<Record<string, string>> = {
  failed: '✕',
  taken_in: '▸',
  reported: '↗',
  method: '▣',
  decision: '◷',
  check: '✉',
  charge: '◆',
  rule: '■',
  attempt: '○',
  webhook: '→',
  psp_event: '←',
  dispute: '!',
  customer: '☺',
  act: '☞',
  ended: '●',
};

const actors: Readonly<Record<string, string>> = {
  merchant: 'merchant',
  recoup: 'Recoup',
  psp: 'processor',
  issuer: 'issuer',
  network: 'network',
  operator: 'operator',
  customer: 'customer',
};

/** The time line: what happened, the latest last. */
export function Story({ entries }: { readonly entries: readonly TimelineEntryJson[] }) {
  return (
    <ol className="story">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and only ever grow
        <Entry key={index} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { readonly entry: TimelineEntryJson }) {
  const { amount, currency, because } = entry;
  const facts = Object.keys(entry.facts).length === 0 ? undefined : entry.facts;
  const plannedAt = entry.kind === 'decision' ? entry.facts.at : undefined;
  return (
    <li className="story-entry">
      <span className="story-at">
        <Time at={entry.at} form="short" focusable />
      </span>
      <span className="story-mark" aria-hidden="true">
        {marks[entry.kind] ?? '○'}
      </span>
      <div className="story-words">
        <span>
          {entry.message}
          {typeof plannedAt === 'string' && (
            <>
              {' for '}
              <Time at={plannedAt} form="short" focusable />
            </>
          )}
          {amount !== undefined && currency !== undefined && (
            <>
              {', '}
              <Amount value={amount} currency={currency} />
            </>
          )}
        </span>
        {because !== undefined && <p className="story-because">{localTimes(because)}</p>}
        {facts !== undefined && (
          <details>
            <summary>Details</summary>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys */}
            <pre tabIndex={0}>{JSON.stringify(facts, null, 2)}</pre>
          </details>
        )}
      </div>
      <span className="story-actor">{actors[entry.actor] ?? entry.actor}</span>
    </li>
  );
}
