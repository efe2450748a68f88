// Shows an HTML file in a frame: without its scripts, without network, and without a way to this page.

import { useRef, useState } from 'preact/hooks'

export function HtmlView({ text, name }: { readonly text: string; readonly name: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const loads = useRef(0)
  const [isLeft, setLeft] = useState(false)
  const onLoad = (): void => {
    loads.current += 1
    // The origin of the frame is opaque and has no name. This page's policy lets it show this server only.
    if (loads.current === 1) frame.current?.contentWindow?.postMessage(text, '*')
    // Nothing in the file should be able to lead the frame away. If something does, nothing more is shown.
    else setLeft(true)
  }
  if (isLeft) return <p class="quiet">The file tried to open another page. Download it to open it.</p>
  return (
    <>
      <p class="quiet">
        Scripts, links and pictures from the web do not work here. Download the file to use them.
      </p>
      <iframe
        ref={frame}
        class="html-view"
        title={`Preview of ${name}`}
        sandbox="allow-scripts"
        referrerpolicy="no-referrer"
        src="/preview"
        onLoad={onLoad}
      />
    </>
  )
}
