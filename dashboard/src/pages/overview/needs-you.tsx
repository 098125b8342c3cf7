import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AlertJson } from '../../api/generated/overview.ts';
import { count } from '../../parts/count.ts';
import { networkName } from '../../parts/network-name.ts';
import { Panel } from '../../parts/panel.tsx';
import { SaidOf } from '../../parts/said-of.tsx';
import { Time } from '../../parts/time.tsx';
import { usePagePaths } from '../../state/page-paths.ts';
import { useViewState } from '../../state/view-state.ts';

/** What a person should look at, each with the way there. */
export function NeedsYou({ alerts }: { readonly alerts: readonly AlertJson[] }) {
  return (
    <Panel title="Needs attention">
      {alerts.length === 0 ? (
        <p className="muted">All clear.</p>
      ) : (
        <ul className="alerts">
          {alerts.map((alert) => (
            <li
              key={[
                alert.kind,
                alert.merchant_id,
                alert.network,
                alert.model_id,
                alert.process_id,
                alert.at,
              ].join('/')}
            >
              <span aria-hidden="true">!</span>
              <Alert alert={alert} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Alert({ alert }: { readonly alert: AlertJson }) {
  const view = useViewState();
  const paths = usePagePaths();
  const to = (path: string, words: ReactNode, params?: Record<string, string | undefined>) =>
    paths.has(path) ? <Link href={view.href(path, params)}>{words}</Link> : words;
  const ofMerchant = (words: string) => <SaidOf name={alert.merchant_name ?? ''} words={words} />;
  switch (alert.kind) {
    case 'work_held_back':
      return (
        <div>
          A process takes no work
          <p className="muted">
            {alert.message} It is {alert.process_id}; it began <Time at={alert.at} />
          </p>
        </div>
      );
    case 'unknown_outcomes': {
      const words = count(alert.count, 'unknown outcome', 'unknown outcomes');
      return (
        <div>
          {to('/payments', words, { status: 'attempting', range: 'all' })}
          <p className="muted">
            charges without an answer, the first <Time at={alert.at} />; {alert.need_person ?? 0}{' '}
            wait for a person
          </p>
        </div>
      );
    }
    case 'incidents':
      return (
        <div>
          {to('/incidents', count(alert.count, 'incident', 'incidents'), { state: 'unresolved' })}
          <p className="muted">
            the processor’s record differs from ours, the first <Time at={alert.at} />; their
            invoices are frozen
          </p>
        </div>
      );
    case 'set_aside':
      return (
        <div>
          {to(
            '/set-aside',
            count(alert.count, 'failed job is set aside', 'failed jobs are set aside'),
          )}
          <p className="muted">
            the first <Time at={alert.at} />; not run again until retried by hand
          </p>
        </div>
      );
    case 'endpoint_failing':
      return (
        <div>
          {to('/webhooks', ofMerchant('the endpoint does not accept webhooks'), {
            merchant: alert.merchant_id,
          })}
          <p className="muted">
            it began <Time at={alert.at} />;{' '}
            {count(alert.count, 'delivery waits', 'deliveries wait')}
          </p>
        </div>
      );
    case 'messages_failing':
      return (
        <div>
          {to(
            `/merchants/${alert.merchant_id}`,
            ofMerchant(
              `${count(alert.count, 'message to a customer does', 'messages to customers do')} not go out`,
            ),
          )}
          <p className="muted">
            the first is from <Time at={alert.at} />; the mail server’s last word: {alert.message}
          </p>
        </div>
      );
    case 'webhooks_given_up':
      return (
        <div>
          {to(
            '/webhooks',
            ofMerchant(count(alert.count, 'webhook was given up', 'webhooks were given up')),
            { merchant: alert.merchant_id },
          )}
          <p className="muted">
            not accepted for seven days; the first is from <Time at={alert.at} />
          </p>
        </div>
      );
    case 'endpoint_paused':
      return (
        <div>
          {to(
            '/webhooks',
            ofMerchant(count(alert.count, 'endpoint is paused', 'endpoints are paused')),
            {
              merchant: alert.merchant_id,
            },
          )}
          <p className="muted">
            since <Time at={alert.at} />,{' '}
            {alert.message === 'failures' ? 'after days of failures' : 'by an operator'}; its events
            are kept until it is resumed
          </p>
        </div>
      );
    case 'disputes_due':
      return (
        <div>
          {to('/disputes', count(alert.count, 'dispute is due', 'disputes are due'))}
          <p className="muted">
            the next one <Time at={alert.at} />
          </p>
        </div>
      );
    case 'cards_near_limit': {
      const network = networkName(alert.network ?? '');
      const { spent = 0 } = alert;
      return (
        <div>
          {to(
            '/limits',
            `${network}: ${count(alert.count, 'card is', 'cards are')} near its limit`,
          )}
          <p className="muted">
            half or more of what it allows in 30 days is used;{' '}
            {spent === 0 ? 'all have some left' : `${spent} of them may not be tried now`}
          </p>
        </div>
      );
    }
    case 'model_drifted': {
      const whose = alert.merchant_name ?? count(alert.count, 'merchant', 'merchants');
      return (
        <div>
          {to(
            '/policy',
            <SaidOf name={whose} words="fixed schedules are used, the model is off" />,
            {
              merchant: alert.merchant_id,
            },
          )}
          <p className="muted">
            {alert.message}; the model was made active <Time at={alert.at} />
          </p>
        </div>
      );
    }
    default:
      return (
        <div>
          {to('/limits', `${networkName(alert.network ?? 'A network')}: at a limit`)}
          <p className="muted">
            {count(alert.count, 'charge was', 'charges were')} refused by its rules, the first{' '}
            <Time at={alert.at} />
          </p>
        </div>
      );
  }
}
