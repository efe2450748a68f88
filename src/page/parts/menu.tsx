// A menu behind a button. Arrow keys move; a letter jumps to the next item that starts with it.

import type { ComponentChildren } from 'preact'

import { Icon, type IconName } from './icon.tsx'
import { Popover } from './popover.tsx'

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly onPress: () => void
  readonly danger?: boolean
  /** Set if the item is one of several choices; true for the current one. */
  readonly checked?: boolean
  /** Text at the end of the item, such as a key or a size. */
  readonly note?: string
  /** Draws a separator above it. */
  readonly apart?: boolean
}

export interface MenuProps {
  readonly label: string
  readonly icon?: IconName
  readonly text?: ComponentChildren
  readonly class?: string
  readonly items: readonly MenuItem[]
}

export function Menu({ label, icon = 'more', text, class: more, items }: MenuProps) {
  return (
    <Popover
      label={label}
      icon={icon}
      text={text}
      kind="plain"
      role="menu"
      {...(more ? { class: more } : {})}
    >
      {(close) => (
        <div role="none" onKeyDown={move}>
          {items.map((item, index) => (
            <button
              key={`${index} ${item.label}`}
              type="button"
              role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
              aria-checked={item.checked}
              class={['item', item.danger && 'danger', item.apart && 'apart'].filter(Boolean).join(' ')}
              // One item is in the Tab order; arrow keys reach the others.
              tabIndex={index === 0 ? 0 : -1}
              onClick={() => {
                close()
                item.onPress()
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              <span>{item.label}</span>
              {item.note && <kbd>{item.note}</kbd>}
              {item.checked && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </Popover>
  )
}

function move(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = items.findIndex((item) => item === document.activeElement)
  const next = target(event, items, at)
  if (next === null) return
  event.preventDefault()
  items[(next + items.length) % items.length]?.focus()
}

function target(event: KeyboardEvent, items: readonly HTMLElement[], at: number): number | null {
  if (event.key === 'ArrowDown') return at + 1
  if (event.key === 'ArrowUp') return at < 0 ? -1 : at - 1
  if (event.key === 'Home') return 0
  if (event.key === 'End') return -1
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey)
    return null
  const begins = (item: HTMLElement): boolean =>
    item.innerText.trim().toLowerCase().startsWith(event.key.toLowerCase())
  const after = items.findIndex((item, index) => index > at && begins(item))
  const found = after < 0 ? items.findIndex(begins) : after
  return found < 0 ? null : found
}
