// Shows an HTML file in a frame: without its scripts, without network, and without a way to this page.

import { useRef, useState } from 'preact/hooks'

export function HtmlView({ text, name }: { readonly text: string; readonly name: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const loads = useRef(0)
  const [isLeft, setLeft] = useState(false)
  const onLoad = (): void => {
    loads.current += 1
    // The frame's origin is opaque, so it cannot be named here. This page's policy allows only frames of this server.
    if (loads.current === 1) frame.current?.contentWindow?.postMessage(text, '*')
    // A second load means that the file has navigated the frame, which should be impossible. Show nothing more.
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
