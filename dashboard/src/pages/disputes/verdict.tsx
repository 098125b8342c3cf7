import type { RuleJson, VerdictJson } from '../../api/generated/disputes.ts';
import { count } from '../../parts/count.ts';
import { Panel } from '../../parts/panel.tsx';
import { StatePill } from '../../parts/state-pill.tsx';
import { causesOf } from './causes-of.ts';

/** More rules of one cause are folded. */
const listed = 2;

/** Whether the network's test of earlier charges is met; what would make it pass stands first, once for each cause. */
export function Verdict({ verdict }: { readonly verdict: VerdictJson }) {
  const { rule_set: ruleSet, applies, eligible, rules, matching, prior_charges: priors } = verdict;
  if (applies !== 'yes') return <NotJudged verdict={verdict} />;
  const passed = rules.filter(({ result }) => result === 'pass');
  const open = rules.length - passed.length;
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
        {causesOf(rules).map(({ result, fix, rules: ofCause }) => (
          <li key={`${result} ${fix}`}>
            <StatePill state={result} />
            <div>
              <p>
                <strong>{fix}</strong>
              </p>
              {ofCause.length <= listed ? (
                <Rules rules={ofCause} />
              ) : (
                <details>
                  <summary>{count(ofCause.length, 'rule waits', 'rules wait')} for it</summary>
                  <Rules rules={ofCause} />
                </details>
              )}
            </div>
          </li>
        ))}
      </ul>
      {passed.length > 0 && (
        <details className="raw" open={eligible}>
          <summary>{count(passed.length, 'rule passes', 'rules pass')}</summary>
          <ul className="rules">
            {passed.map(({ id, words, result, detail }) => (
              <li key={id}>
                <StatePill state={result} />
                <p>
                  {words} <span className="muted">({detail})</span>
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

/** With another reason its rules say nothing of the dispute. */
function NotJudged({ verdict: { rule_set: ruleSet, applies } }: { readonly verdict: VerdictJson }) {
  return applies === 'no' ? (
    <Panel title={`${ruleSet.words}: it does not apply`}>
      <p>
        It is a test for another reason than this dispute’s, so there is nothing to meet. Answer
        with ordinary evidence.
      </p>
    </Panel>
  ) : (
    <Panel title={`${ruleSet.words}: not judged`}>
      <p>
        The network’s reason code is not known, and the test is for some reasons alone. Report the
        network and the code with POST /v1/disputes.
      </p>
    </Panel>
  );
}

function Rules({ rules }: { readonly rules: readonly RuleJson[] }) {
  return rules.map(({ id, words, detail }) => (
    <p key={id}>
      {words} <span className="muted">({detail})</span>
    </p>
  ));
}
