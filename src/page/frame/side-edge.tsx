// The edge of the side bar. Dragging it or pressing arrow keys changes the width, a double click restores the default, and Enter
// hides the side bar.

import { useApp } from '../state/app.ts'
import { SIDE_WIDTH_MAX_REM, SIDE_WIDTH_MIN_REM } from '../state/frame/limits.ts'

export function SideEdge() {
  const { drawer, side } = useApp()
  if (drawer.isNarrow.value || side.isHidden.value) return null
  return (
    <div
      class="side-edge"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the side bar"
      aria-controls="side"
      aria-valuemin={SIDE_WIDTH_MIN_REM}
      aria-valuemax={SIDE_WIDTH_MAX_REM}
      aria-valuenow={Math.round(side.widthRem.value)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setResizing(true)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) side.setWidth(event.clientX / pxPerRem())
      }}
      onLostPointerCapture={() => setResizing(false)}
      onDblClick={() => side.setWidth(null)}
      onKeyDown={(event) => {
        const width = {
          ArrowLeft: side.widthRem.peek() - 1,
          ArrowRight: side.widthRem.peek() + 1,
          Home: SIDE_WIDTH_MIN_REM,
          End: SIDE_WIDTH_MAX_REM,
        }[event.key]
        if (width === undefined && event.key !== 'Enter') return
        event.preventDefault()
        if (width === undefined) side.setHidden(true)
        else side.setWidth(width)
      }}
    />
  )
}

/** While the edge is dragged, the width follows the pointer without a transition, and no text is selected. */
function setResizing(isResizing: boolean): void {
  if (isResizing) document.documentElement.dataset['resizing'] = ''
  else delete document.documentElement.dataset['resizing']
}

function pxPerRem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}
