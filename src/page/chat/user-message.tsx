// The user's message. A long one is cut to its first lines until the user opens it.

import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

import { useApp } from '../state/app.ts'
import { copyText } from '../lib/clipboard.ts'
import { COPIED_LABEL_MS } from '../lib/limits.ts'
import { Prose } from '../markdown/prose.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'

export interface UserMessageProps {
  readonly text: string
  /** Starts editing, or null while the message cannot be edited. */
  readonly onEdit: (() => void) | null
  /** Receives the focus when editing ends. */
  readonly editButton: RefObject<HTMLButtonElement | null>
  /** Shows the other versions of the message. */
  readonly versions: ComponentChildren
  /** The files sent with the message. */
  readonly children: ComponentChildren
}

export function UserMessage({ text, onEdit, editButton, versions, children }: UserMessageProps) {
  const { ports, toasts } = useApp()
  const box = useRef<HTMLDivElement>(null)
  const isLong = useSignal(false)
  const isOpen = useSignal(false)
  const isCopied = useSignal(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = (): void => void (isLong.value = element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(() => {
      if (!isOpen.peek()) measure()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [text])
  const copy = async (): Promise<void> => {
    isCopied.value = await copyText(text)
    if (!isCopied.value)
      return void toasts.show({ text: 'The browser did not allow copying.', isError: true })
    await ports.wait(COPIED_LABEL_MS)
    isCopied.value = false
  }
  return (
    <div class="asked">
      <div class={isLong.value && !isOpen.value ? 'question cut' : 'question'}>
        <div ref={box} class={isOpen.value ? undefined : 'clamp'}>
          <Prose text={text} done />
        </div>
        {isLong.value && (
          <Button
            kind="plain"
            class="show-all"
            isExpanded={isOpen.value}
            onPress={() => (isOpen.value = !isOpen.value)}
          >
            {isOpen.value ? 'Show less' : 'Show all'}
            <Icon name="chevron-down" />
          </Button>
        )}
      </div>
      {children}
      <div class="asked-foot">
        <div class="actions" role="group" aria-label="Actions for this question">
          <Button
            kind="plain"
            icon={isCopied.value ? 'check' : 'copy'}
            label={isCopied.value ? 'Copied' : 'Copy the question'}
            onPress={() => void copy()}
          />
          {onEdit && (
            <Button
              kind="plain"
              icon="pencil"
              label="Edit the question"
              buttonRef={editButton}
              onPress={onEdit}
            />
          )}
        </div>
        {versions}
      </div>
    </div>
  )
}
