// The page's entry: puts the application on the document.

import { render } from 'preact'

import { AppProvider, createApp } from './app.ts'
import { takeDrops } from './composer/drop.ts'
import { browserPorts } from './platform.ts'
import { keyInAddress } from './state/session.ts'
import { Frame } from './frame.tsx'

const given = keyInAddress(window)
const app = createApp(browserPorts(), window)
const kept = app.session.found()
// A link must not move somebody who is signed in to another account without a word.
const foreign = given !== null && kept !== null && kept !== given
const key = foreign && !confirm('This link brings another key. Use it in this tab?') ? kept : (given ?? kept)
takeDrops(window, {
  isOpen: () => app.session.client.peek() !== null,
  files: app.attachments.add,
  folder: app.attachments.refuseFolder,
})
const root = document.getElementById('root')
if (root) {
  const draw = (): void =>
    render(
      <AppProvider value={app}>
        <Frame />
      </AppProvider>,
      root,
    )
  if (key !== null) await app.session.enter(key, false)
  draw()
}
