// Escape closes only the topmost layer. Code for a lower layer checks here before it handles the key.

const OPEN_LAYERS = 'dialog:modal, .popover:popover-open'

/** Whether a dialog or popover is open. The browser closes these itself on Escape. */
export function hasOpenLayer(): boolean {
  return document.querySelector(OPEN_LAYERS) !== null
}
