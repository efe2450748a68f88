// Marks the document while the user moves the focus by keyboard. Browsers match `:focus-visible` on text fields after a click, too.

/** Sets or removes `data-focus="keyboard"` on the root element. */
export function markKeyboardFocus(): void {
  const root = document.documentElement
  window.addEventListener('keydown', ({ key }) => {
    if (key === 'Tab') root.dataset['focus'] = 'keyboard'
  })
  window.addEventListener('pointerdown', () => delete root.dataset['focus'])
}
