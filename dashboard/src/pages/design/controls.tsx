import { useState } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Figure, Figures } from '../../parts/figure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Tip } from '../../parts/tip.tsx';
import { useToast } from '../../parts/toasts.tsx';

const options = ['Any', 'Scheduled', 'Recovered'].map((label) => ({ value: label, label }));
const icons = ['menu', 'search', 'calendar', 'open', 'chosen', 'close'] as const;

type Shown = 'none' | 'question' | 'busy' | 'failed';

/** What is pressed, filled in and read. */
export function Controls() {
  const [shown, setShown] = useState<Shown>('none');
  const toast = useToast();
  const dialogs: readonly (readonly [Shown, string])[] = [
    ['question', 'Open a question'],
    ['busy', 'Open one that is busy'],
    ['failed', 'Open one that failed'],
  ];
  return (
    <>
      <Panel title="Controls">
        <div className="design-row">
          <button type="button" className="button">
            Plain
          </button>
          <button type="button" className="button primary">
            Primary
          </button>
          <button type="button" className="button danger">
            Dangerous
          </button>
          <button type="button" className="button quiet">
            Quiet
          </button>
          <button type="button" className="button" disabled>
            Disabled
          </button>
          <button type="button" className="button primary" disabled>
            Disabled primary
          </button>
        </div>
        <div className="design-row">
          <Choice label="Choice" options={options} />
          <Choice label="Choice below its name" form="above" options={options} />
          <label className="field">
            <span className="field-name">Text</span>
            <input defaultValue="in_20931" />
          </label>
          <label className="field">
            <input type="checkbox" defaultChecked />
            <span>Checked</span>
          </label>
          <Tip text="Says more where one points at it or comes to it by keys">
            <button type="button" className="button quiet">
              A tip
            </button>
          </Tip>
        </div>
        <div className="design-row">
          {dialogs.map(([which, words]) => (
            <button key={which} type="button" className="button" onClick={() => setShown(which)}>
              {words}
            </button>
          ))}
          <button
            type="button"
            className="button"
            onClick={() => toast('The payment is tried now.')}
          >
            Say something
          </button>
          {icons.map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
        <ConfirmDialog
          open={shown !== 'none'}
          title="Stop the recovery?"
          effect="Stops 1 payment of €42.00. Nothing will be charged after this."
          action="Stop the recovery"
          isDangerous
          isBusy={shown === 'busy'}
          error={shown === 'failed' ? new Error('The payment is being charged now.') : null}
          onConfirm={() => setShown('none')}
          onClose={() => setShown('none')}
        >
          <label>
            Why
            <input name="why" />
          </label>
        </ConfirmDialog>
      </Panel>
      <Figures>
        <Figure name="Recovered" value="$24,571.47" beside="320 payments" />
        <Figure
          name="A figure with a long name that takes two lines"
          value="37.0%"
          beside="of 735 payments; 57.8% still open"
        />
        <Figure name="A figure without a comparison" value="5.2" />
        <Figure name="A long amount" value="+$1,133,818,090.12" />
      </Figures>
      <Panel title="Facts">
        <Facts
          items={[
            ['Invoice', 'in_20931'],
            ['A long id', 'mer_6w41wzaycetaspk66tqsqb5p_of_a_merchant_with_a_long_id'],
            ['Processor', 'sandbox'],
          ]}
        />
        <Copyable text="curl http://127.0.0.1:8080/recover/payments" />
      </Panel>
    </>
  );
}
