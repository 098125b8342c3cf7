import type { VerdictJson } from '../../api/generated/disputes.ts';
import { count } from '../../parts/count.ts';
import { Panel } from '../../parts/panel.tsx';
import { StatePill } from '../../parts/state-pill.tsx';

/** Whether the network's test of earlier charges is met, rule by rule, and what would make it pass. */
export function Verdict({ verdict }: { readonly verdict: VerdictJson }) {
  const { rule_set: ruleSet, eligible, rules, matching, prior_charges: priors } = verdict;
  const open = rules.filter(({ result }) => result !== 'pass').length;
  return (
    <Panel
      title={`${ruleSet.words}: ${eligible ? 'it is met' : 'it is not met'}`}
      aside={<span className="muted small">edition {ruleSet.version}</span>}
    >
      <p>
        {eligible
          ? 'Every rule passes. The bank still decides.'
          : `${count(open, 'rule does', 'rules do')} not pass yet.`}{' '}
        {matching.length > 0 && `Equal over all charges: ${matching.join(', ')}. `}
        {priors.length > 0 && `Earlier charges: ${priors.join(', ')}.`}
      </p>
      {ruleSet.unconfirmed && (
        <p className="muted">The network publishes no such figures: a guide, not a promise.</p>
      )}
      <ul className="rules">
        {rules.map(({ id, words, result, detail, fix }) => (
          <li key={id}>
            <StatePill state={result} />
            <div>
              <p>{words}</p>
              <p className="muted">{detail}</p>
              {fix !== undefined && <p>What would make it pass: {fix}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
