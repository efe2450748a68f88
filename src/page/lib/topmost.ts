// Escape closes what lies on top, and that alone: who stands below asks here before it takes the key.

const ON_TOP = 'dialog:modal, .popover:popover-open'

/** Whether a dialog or a menu is open, which the browser closes by itself. */
export function somethingIsOnTop(): boolean {
  return document.querySelector(ON_TOP) !== null
}
