// Escape closes only the topmost layer: those below check here before they handle the key.

const ON_TOP = 'dialog:modal, .popover:popover-open'

/** Whether a dialog or popover is open, which the browser closes itself. */
export function somethingIsOnTop(): boolean {
  return document.querySelector(ON_TOP) !== null
}
