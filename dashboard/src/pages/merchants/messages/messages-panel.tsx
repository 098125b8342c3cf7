import { useState } from 'react';
import type { MessageSettingsJson } from '../../../api/generated/messages.ts';
import {
  useCustomerMessages,
  useMessageReport,
  useMessageSettings,
} from '../../../api/messages.ts';
import { apiPath } from '../../../api/request.ts';
import { count } from '../../../parts/count.ts';
import { ExportButton } from '../../../parts/export-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Panel } from '../../../parts/panel.tsx';
import { formatShare } from '../../../parts/percent.ts';
import { QueryView } from '../../../parts/query-view.tsx';
import { ChangeMessages } from './change-messages.tsx';
import { MessageReport } from './message-report.tsx';
import { missingWords } from './missing-words.ts';
import { SentMessages } from './sent-messages.tsx';
import { shownMessages } from './shown-messages.ts';
import { TestMessage } from './test-message.tsx';

/** How customers whose payments wait for them are written to, what was sent, and what it brings. */
export function MessagesPanel({ merchantId }: { readonly merchantId: string }) {
  const [asked, setAsked] = useState<'change' | 'test'>();
  const close = (): void => setAsked(undefined);
  return (
    <Panel
      title="Messages to customers"
      aside={
        <div className="filters">
          <ExportButton
            list={apiPath('merchants', merchantId, 'customer-messages')}
            filters={{}}
            of="messages to customers"
          />
          <button type="button" className="button" onClick={() => setAsked('test')}>
            Send a test
          </button>
          <button type="button" className="button" onClick={() => setAsked('change')}>
            Change the messages
          </button>
        </div>
      }
    >
      <div className="messages">
        <QueryView query={useMessageSettings(merchantId)} what="the messages">
          {(settings) => (
            <>
              <Settings settings={settings} />
              <ChangeMessages
                merchantId={merchantId}
                settings={settings}
                open={asked === 'change'}
                onClose={close}
              />
              <TestMessage
                merchantId={merchantId}
                language={settings.language}
                open={asked === 'test'}
                onClose={close}
              />
            </>
          )}
        </QueryView>
        <QueryView query={useMessageReport(merchantId)} what="what messages bring">
          {(report) => <MessageReport report={report} />}
        </QueryView>
        <QueryView query={useCustomerMessages(merchantId, shownMessages)} what="the last messages">
          {({ items }) => <SentMessages merchantId={merchantId} messages={items} />}
        </QueryView>
      </div>
    </Panel>
  );
}

function Settings({ settings }: { readonly settings: MessageSettingsJson }) {
  const { on, missing, quiet_from: from, quiet_until: until } = settings;
  const own = settings.templates.filter((template) => template.is_own).length;
  const most = count(settings.max_messages, 'message', 'messages');
  return (
    <>
      {!on && (
        <p className="muted">
          Off: no customer is written to. When on, customers whose payment no retry can recover are
          told by e-mail where to fix it; a share of them is not, to compare with.
        </p>
      )}
      {missing.length > 0 && (
        <ul className="muted small" aria-label="Missing before messages can be switched on">
          {missing.map((each) => (
            <li key={each}>{missingWords(each)}</li>
          ))}
        </ul>
      )}
      <Facts
        items={[
          ['Customers are written to', on ? 'yes' : 'no'],
          ['From', settings.sender],
          ['Replies go to', settings.reply_to],
          ['At most', `${most} about a payment, ${settings.gap_hours} hours apart`],
          ['Quiet', from === until ? 'never' : `${from}:00 to ${until}:00, ${settings.time_zone}`],
          ['Held out', formatShare(settings.holdout_share, 1)],
          ['Own texts', own === 0 ? undefined : own],
        ]}
      />
    </>
  );
}
