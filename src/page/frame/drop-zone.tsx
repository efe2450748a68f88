// Covers the window while files are dragged over it (src/page/actions/drop.ts). Files can be dropped anywhere.

import { Icon } from '../parts/icon.tsx'

export function DropZone() {
  return (
    <div class="drop-zone" aria-hidden="true">
      <p>
        <Icon name="attach" />
        Drop to attach
      </p>
    </div>
  )
}
