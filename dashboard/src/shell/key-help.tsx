import { Dialog } from '../parts/dialog.tsx';

const keys = [
  ['/', 'Search payments'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close a dialog'],
  ['?', 'This help'],
] as const;

export function KeyHelp({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog open={open} title="Keyboard shortcuts" onClose={onClose}>
      <dl className="facts">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
