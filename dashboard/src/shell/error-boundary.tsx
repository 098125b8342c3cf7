import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** What a defect of a page leaves standing: the rest of the dashboard, and a way on. */
export class ErrorBoundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const error: unknown = this.state.error;
    if (error === undefined) return this.props.children;
    return (
      <section className="state state-failed" role="alert">
        <h2>This page failed</h2>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Load it again
        </button>
      </section>
    );
  }
}
