// The page's entry point: renders the app into the document.

import { render } from 'preact'

import { AppProvider, createApp } from './state/app.ts'
import { VIEWS } from './views/all.ts'
import { loadViews } from './views/load.ts'
import { acceptDrops } from './actions/drop.ts'
import { markKeyboardFocus } from './actions/mark-keyboard-focus.ts'
import { Frame } from './frame/frame.tsx'
import { browserPorts } from './lib/platform.ts'

const app = createApp(
  browserPorts(),
  window,
  VIEWS.map(({ address }) => address),
)
loadViews(app)
markKeyboardFocus()
acceptDrops(window, {
  canAccept: () => app.session.client.peek() !== null,
  onFiles: app.attachments.add,
  onFolder: app.attachments.refuseFolder,
})
const root = document.getElementById('root')
if (root)
  render(
    <AppProvider value={app}>
      <Frame />
    </AppProvider>,
    root,
  )
