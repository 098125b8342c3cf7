import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';

const handle = Tooltip.createHandle<string>();

/** Something that says more where one points at it or comes to it by keys. */
export function Tip({
  text,
  children,
}: {
  readonly text: string;
  readonly children: ReactElement;
}) {
  return <Tooltip.Trigger handle={handle} payload={text} delay={150} render={children} />;
}

/** Where the words of all tips show; it stands once in the page. */
export function Tips() {
  return (
    <Tooltip.Provider>
      <Tooltip.Root handle={handle}>
        {({ payload }) => (
          <Tooltip.Portal>
            <Tooltip.Positioner className="above" sideOffset={6}>
              <Tooltip.Popup className="tip">{payload}</Tooltip.Popup>
            </Tooltip.Positioner>
          </Tooltip.Portal>
        )}
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}
