import type { ReactNode } from 'react';
import type { IncidentJson, IncidentSideJson } from '../../api/generated/incidents.ts';
import { formatAmount } from '../../parts/format-amount.ts';
import { pspName } from '../../parts/psp-name.ts';
import { ScrollFrame } from '../../parts/scroll-frame.tsx';
import { Time } from '../../parts/time.tsx';

interface Fact {
  readonly name: string;
  /** What is compared; absent: that side does not say. */
  readonly value: (side: IncidentSideJson) => string | undefined;
  readonly show?: (side: IncidentSideJson) => ReactNode;
  /** Two times of one charge are never the same. */
  readonly isCompared: boolean;
}

const facts: readonly Fact[] = [
  { name: 'State', value: ({ state }) => state.replaceAll('_', ' '), isCompared: true },
  {
    name: 'Amount',
    value: ({ amount, currency }) =>
      amount === undefined || currency === undefined ? undefined : formatAmount(amount, currency),
    isCompared: true,
  },
  {
    name: 'Money',
    value: ({ is_live: isLive }) => (isLive === undefined ? undefined : isLive ? 'real' : 'test'),
    isCompared: true,
  },
  { name: 'Charge id', value: (side) => side.psp_transaction_id, isCompared: true },
  {
    name: 'When',
    value: ({ at }) => at,
    show: ({ at }) => at !== undefined && <Time at={at} form="short" focusable />,
    isCompared: false,
  },
];

/** The charge as we have it beside the charge as the processor has it; what differs is marked. */
export function Records({ incident }: { readonly incident: IncidentJson }) {
  const { ours, theirs, psp } = incident;
  return (
    <ScrollFrame>
      <table className="table records" aria-label="Both records">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">What</span>
            </th>
            <th scope="col">Ours</th>
            <th scope="col">Theirs ({pspName(psp)})</th>
          </tr>
        </thead>
        <tbody>
          {facts
            .filter((fact) => isTold(fact, [ours, theirs]))
            .map((fact) => {
              const isApart = differs(fact, ours, theirs);
              return (
                <tr key={fact.name}>
                  <th scope="row">{fact.name}</th>
                  <td className="breaks">{cell(fact, ours)}</td>
                  <td className={isApart ? 'breaks apart' : 'breaks'}>
                    {isApart && (
                      <>
                        <span aria-hidden="true">≠ </span>
                        <span className="unseen">differs: </span>
                      </>
                    )}
                    {cell(fact, theirs)}
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

function isTold({ value }: Fact, sides: readonly (IncidentSideJson | undefined)[]): boolean {
  return sides.some((side) => side !== undefined && value(side) !== undefined);
}

function cell({ value, show, name }: Fact, side: IncidentSideJson | undefined): ReactNode {
  if (side === undefined)
    return <span className="muted">{name === 'State' ? 'no record' : '–'}</span>;
  const text = value(side);
  if (text === undefined) return <span className="muted">not said</span>;
  return show === undefined ? text : show(side);
}

function differs(
  { value, isCompared, name }: Fact,
  ours: IncidentSideJson | undefined,
  theirs: IncidentSideJson | undefined,
): boolean {
  if (!isCompared) return false;
  if (ours === undefined || theirs === undefined) return name === 'State' && ours !== theirs;
  const [left, right] = [value(ours), value(theirs)];
  return left !== undefined && right !== undefined && left !== right;
}
