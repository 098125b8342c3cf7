import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** What a dialog is about, read out with its title. */
export function DialogText({ children }: { readonly children: ReactNode }) {
  return <Base.Description>{children}</Base.Description>;
}

/** A modal dialog; Esc and a click beside it close it. A drawer stands at the side of the screen. */
export function Dialog({
  open,
  title,
  onClose,
  form = 'dialog',
  children,
}: {
  readonly open: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly form?: 'dialog' | 'drawer';
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup className={form}>
          <header className="dialog-head">
            <Base.Title>{title}</Base.Title>
            <Base.Close className="button quiet dialog-close" aria-label="Close the dialog">
              <Icon name="close" />
            </Base.Close>
          </header>
          <div className="dialog-body">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
