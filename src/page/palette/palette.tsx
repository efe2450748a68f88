// The palette: one field that finds threads, skills and actions. The field is there at once, so that no keystroke is lost; the
// list is loaded when the palette is first opened.

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { lazyComponent } from '../parts/lazy.tsx'
import { useApp } from '../state/app.ts'
import { PALETTE_LIST_ID, type PaletteListProps } from './list-props.ts'

const List = lazyComponent<PaletteListProps>(async () => (await import('./palette-list.tsx')).PaletteList, 6)

export function Palette({ onHelp }: { readonly onHelp: () => void }) {
  const { drawer, isPaletteOpen, search } = useApp()
  const isNarrow = drawer.isNarrow.value
  const field = useRef<HTMLInputElement>(null)
  const handleKey = useRef<(event: KeyboardEvent) => void>(() => undefined)
  const activeOption = useSignal<string | undefined>(undefined)
  const close = (): void => void (isPaletteOpen.value = false)
  useLayoutEffect(() => {
    field.current?.focus()
    return () => search.setQuery('')
  }, [])
  return (
    <Dialog title="Search" shape="palette" onClose={close}>
      <div class="palette-field">
        <Icon name="search" />
        <input
          ref={field}
          id="search"
          type="text"
          role="combobox"
          aria-label="Search threads, skills and actions"
          aria-autocomplete="list"
          aria-expanded={activeOption.value !== undefined}
          aria-controls={PALETTE_LIST_ID}
          aria-activedescendant={activeOption.value}
          placeholder={isNarrow ? 'Search' : 'Search threads, skills and actions'}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterKeyHint="go"
          onInput={(event) => search.setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter that ends a composition chooses nothing.
            if (event.isComposing || event.keyCode === 229) return
            const isShortcut = event.key.toLowerCase() === 'k' && event.ctrlKey !== event.metaKey
            if (isShortcut) {
              event.preventDefault()
              close()
            } else handleKey.current(event)
          }}
        />
        <kbd>Esc</kbd>
        <Button kind="plain" icon="close" label="Close" onPress={close} />
      </div>
      <List
        handleKey={handleKey}
        activeOption={activeOption}
        onHelp={onHelp}
        onChoose={(run) => {
          close()
          // The dialog must close first, because it returns the focus.
          requestAnimationFrame(run)
        }}
      />
    </Dialog>
  )
}
