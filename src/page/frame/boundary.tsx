// Catches a view that fails to render and shows the error in its place. The rest of the page keeps working.

import { Component, type ComponentChildren } from 'preact'

import { Notice } from '../parts/notice.tsx'
import type { PageRoute } from '../state/frame/route.ts'

interface Props {
  /** Another route is tried again. */
  readonly route: PageRoute
  readonly children: ComponentChildren
}

interface State {
  readonly broken: boolean
}

export class Boundary extends Component<Props, State> {
  override state: State = { broken: false }

  static override getDerivedStateFromError(): State {
    return { broken: true }
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.broken && before.route !== this.props.route) this.setState({ broken: false })
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render() {
    if (!this.state.broken) return this.props.children
    const detail =
      'This page cannot read what the server sent. One of the two may be out of date. Nothing was lost.'
    return (
      <div class="broken">
        <Notice
          trouble={{ title: 'This cannot be shown', detail, marks: '', help: 'again' }}
          onHelp={() => this.setState({ broken: false })}
        />
      </div>
    )
  }
}
