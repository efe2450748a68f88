// Shows an error in place of a view that fails to render. The rest of the page keeps working.

import { Component, type ComponentChildren } from 'preact'

import { Notice } from '../parts/notice.tsx'
import type { PageRoute } from '../state/frame/route.ts'

interface Props {
  /** The current route. A change renders the children again after a failure. */
  readonly route: PageRoute
  readonly children: ComponentChildren
}

interface State {
  readonly hasFailed: boolean
}

export class Boundary extends Component<Props, State> {
  override state: State = { hasFailed: false }

  static override getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override componentDidUpdate(previous: Props): void {
    if (this.state.hasFailed && previous.route !== this.props.route) this.setState({ hasFailed: false })
  }

  override componentDidCatch(error: unknown): void {
    console.error(error)
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    const detail =
      "This page cannot read the server's response. The page or the server may be out of date. Nothing was lost."
    return (
      <div class="broken">
        <Notice
          trouble={{ title: 'This cannot be shown', detail, supportCodes: '', remedy: 'again' }}
          onRemedy={() => this.setState({ hasFailed: false })}
        />
      </div>
    )
  }
}
