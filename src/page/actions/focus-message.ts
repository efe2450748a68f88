// Moves the focus to the message box when the button that had it is gone.

import { TOUCH_SCREEN } from '../lib/media.ts'

/** Does nothing on a touch screen, where the focus would open a keyboard over the content. */
export function focusMessageBox(): void {
  if (!matchMedia(TOUCH_SCREEN).matches) document.getElementById('message')?.focus({ preventScroll: true })
}
