import type { ComponentPropsWithRef, MouseEvent } from 'react';

/**
 * A button that does nothing while it works, or while there is nothing that it could do. It is not disabled: a
 * button that is loses the focus, and who goes by keys would be at the beginning of the page.
 */
export function ActButton({
  isBusy = false,
  isReady = true,
  type = 'button',
  className = 'button',
  onClick,
  ...others
}: Omit<ComponentPropsWithRef<'button'>, 'disabled'> & {
  readonly isBusy?: boolean;
  readonly isReady?: boolean;
}) {
  const isIdle = isBusy || !isReady;
  const press = (event: MouseEvent<HTMLButtonElement>): void => {
    // The second press of a double click comes before the first has made the button busy.
    const isSecond = event.detail > 1;
    // Enter in a field presses the form's button too.
    if (isIdle || isSecond) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...others}
      type={type}
      className={className}
      {...(isIdle ? { 'aria-disabled': true } : {})}
      onClick={press}
    />
  );
}
