import { Link } from 'wouter';
import type { SavedViewJson } from '../api/generated/saved-views.ts';
import { useRemoveView, useSavedViews, useSaveView } from '../api/saved-views.ts';
import { ActButton } from '../parts/act-button.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { Icon } from '../parts/icon.tsx';
import { useToast } from '../parts/toasts.tsx';

/** Addresses with their filters that were kept by a name, and the way to keep the one that is open. */
export function SavedViews({ onSave }: { readonly onSave: () => void }) {
  const views = useSavedViews().data?.items ?? [];
  return (
    <nav aria-label="Saved views" className="pages">
      <div className="pages-group">
        <p className="pages-name">Saved views</p>
        <ul>
          {views.map((view) => (
            <SavedView key={view.id} view={view} />
          ))}
        </ul>
        <button type="button" className="save-view" onClick={onSave}>
          <Icon name="save" />
          Save this view
        </button>
      </div>
    </nav>
  );
}

function SavedView({
  view: { id, name, path, is_own, is_shared },
}: {
  readonly view: SavedViewJson;
}) {
  const remove = useRemoveView();
  const toast = useToast();
  return (
    <li className="saved-view">
      <Link href={path}>
        <Icon name="view" />
        <span className="saved-view-name">
          {name} {is_shared && <span className="muted small">shared</span>}
        </span>
      </Link>
      {is_own && (
        <ActButton
          className="button quiet"
          aria-label={`Remove the view: ${name}`}
          isBusy={remove.isPending}
          onClick={() =>
            remove.mutate(id, {
              onSuccess: () => toast(`${name} is removed.`),
              onError: ({ message }) => toast(message),
            })
          }
        >
          <Icon name="close" />
        </ActButton>
      )}
    </li>
  );
}

/** Asks for a name, and keeps the page that is open by it. */
export function SaveView({
  open,
  onClose,
}: {
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const save = useSaveView();
  const toast = useToast();
  const close = (): void => {
    save.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title="Save this view?"
      effect="Keeps this page with its merchant, time and filters. A view of yours with the same name is replaced."
      action="Save"
      isBusy={save.isPending}
      error={save.error}
      onClose={close}
      onConfirm={(fields) =>
        save.mutate(
          {
            name: String(fields.get('name')).trim(),
            path: `${window.location.pathname}${window.location.search}`,
            ...(fields.has('is_shared') && { is_shared: true }),
          },
          {
            onSuccess: ({ name }) => {
              toast(`${name} is saved.`);
              close();
            },
          },
        )
      }
    >
      <input type="hidden" name="path" data-label="This page" />
      <label>
        Name
        <input name="name" required maxLength={60} autoComplete="off" />
      </label>
      <label className="field">
        <input name="is_shared" type="checkbox" />
        <span>Other operators see it too</span>
      </label>
    </ConfirmDialog>
  );
}
