// The message form: the box, its files, and the buttons that send and stop.

import { useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { TargetedClipboardEvent, TargetedKeyboardEvent } from 'preact'

import { useApp } from '../state/app.ts'
import { TOUCH_SCREEN, useMedia } from '../lib/media.ts'
import { hasOpenLayer } from '../lib/open-layers.ts'
import { PASTED_TEXT_MAX_CHARS } from './limits.ts'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/notice.tsx'
import { isOnItsWay } from '../state/files/chip.ts'
import { hintFor } from '../state/composer/slash.ts'
import { AttachedChips } from './chips.tsx'
import { ComposerFooter } from './footer.tsx'
import { messageKeyAction } from '../actions/message-keys.ts'
import { modifierKey } from '../actions/shortcuts.ts'
import { QueuedNotice } from './queued-message.tsx'
import { OptionsMenu } from './options.tsx'
import { PlanList } from './plan.tsx'
import { placeholderForAnswer, useIsUserNeeded, useOpenQuestion } from './needs.ts'
import { SendButton } from './send-button.tsx'
import { SLASH_LIST_ID, optionId, SlashList, useSlash } from './slash-list.tsx'

export function ComposerForm() {
  const { composer, attachments, conversation, panel, announce, skills } = useApp()
  const box = useRef<HTMLTextAreaElement>(null)
  const fileInput = useRef<HTMLInputElement>(null)
  const isTouch = useMedia(TOUCH_SCREEN)
  const slash = useSlash(box)
  const isAnswering = conversation.activeTurn.value !== null
  const text = composer.text.value
  const hasContent = text.trim() !== '' || attachments.chips.value.length > 0
  const isUserNeeded = useIsUserNeeded()
  const question = useOpenQuestion()
  const hint = hintFor(text, skills.commands.value)
  const fileCount = panel.files.value?.length ?? 0
  const focusBox = (): void => {
    // On a touch screen, focus would open a keyboard over the content.
    if (!isTouch) box.current?.focus()
  }

  useLayoutEffect(() => {
    if (box.current) fitHeight(box.current)
  }, [text])
  useSignalEffect(() => {
    const fillCount = composer.fillCount.value
    const field = box.current
    if (fillCount === 0 || !field) return
    field.value = composer.text.peek()
    field.setSelectionRange(field.value.length, field.value.length)
    if (!matchMedia(TOUCH_SCREEN).matches) field.focus()
  })

  useEffect(() => {
    // Escape stops the answer wherever the focus is, unless it closes something that is open.
    const onEscape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (conversation.activeTurn.peek() === null || hasOpenLayer()) return
      event.preventDefault()
      void composer.stop()
      box.current?.focus()
    }
    window.addEventListener('keydown', onEscape)
    return () => window.removeEventListener('keydown', onEscape)
  }, [])

  function onKeyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    if (slash.handleKey(event)) return event.preventDefault()
    const action = messageKeyAction(event, { isTouch, isEmpty: event.currentTarget.value === '' })
    if (action === 'send') void composer.send()
    else if (action === 'steer') void composer.steer()
    else if (action === 'stop' && isAnswering) void composer.stop()
    else if (!(action === 'edit' && composer.editLast())) return
    event.preventDefault()
    slash.close()
  }

  function onPaste(event: TargetedClipboardEvent<HTMLTextAreaElement>): void {
    const clipboard = event.clipboardData
    if (!clipboard) return
    const pasted = clipboard.getData('text/plain')
    // Spreadsheets copy a table both as text and as a picture. Use the text.
    if (clipboard.files.length > 0 && pasted === '') attachments.add([...clipboard.files])
    else if (pasted.length > PASTED_TEXT_MAX_CHARS) {
      attachments.addText(pasted)
      announce('The long text is attached as a file.')
    } else return
    event.preventDefault()
  }

  return (
    <form
      id="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void composer.send()
      }}
    >
      {composer.trouble.value && <Notice trouble={composer.trouble.value} />}
      <PlanList />
      <QueuedNotice focusBox={focusBox} />
      <div class="box" data-uncovered>
        <SlashList slash={slash} />
        <AttachedChips focusBox={focusBox} />
        <label class="unseen" for="message">
          Message
        </label>
        <textarea
          ref={box}
          id="message"
          rows={1}
          dir="auto"
          placeholder={
            question === null
              ? isAnswering
                ? 'Add a message for later'
                : 'Ask anything, or / for a skill'
              : placeholderForAnswer(question)
          }
          enterkeyhint={isTouch ? 'enter' : 'send'}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={SLASH_LIST_ID}
          aria-activedescendant={
            slash.offer.value.matches.length > 0 ? optionId(slash.selectedIndex.value) : undefined
          }
          value={text}
          onInput={(event) => {
            composer.write(event.currentTarget.value)
            slash.update()
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={slash.close}
        />
        {hint !== null && (
          <p class="hint" dir="auto">
            Continue with: <code>{hint}</code>
          </p>
        )}
        <div class="row">
          <Button
            kind="plain"
            icon="attach"
            label="Attach files"
            onPress={() => fileInput.current?.click()}
          />
          <input
            ref={fileInput}
            type="file"
            multiple
            hidden
            aria-label="Files to attach"
            onChange={(event) => {
              attachments.add([...(event.currentTarget.files ?? [])])
              // Allows the same file to be chosen again.
              event.currentTarget.value = ''
              focusBox()
            }}
          />
          <OptionsMenu />
          <span class="gap" />
          {fileCount > 0 && (
            <Button
              kind="plain"
              icon="file"
              class="files"
              isExpanded={panel.isOpen.value}
              onPress={() => (panel.isOpen.peek() ? panel.close() : panel.show(null))}
            >
              <span>
                <span class="word">Files </span>
                <span class="count">{fileCount}</span>
              </span>
            </Button>
          )}
          <SendButton
            isAnswering={isAnswering}
            hasContent={hasContent}
            isUploading={attachments.chips.value.some(isOnItsWay)}
            hasFailed={attachments.chips.value.some(({ state }) => state === 'failed')}
            isUserNeeded={isUserNeeded}
            onStop={() => {
              void composer.stop()
              focusBox()
            }}
          >
            {isAnswering && text.trim() !== '' && (
              <Button
                class="steer"
                {...(isTouch ? {} : { hint: `Steer this answer (${modifierKey()} Enter)` })}
                onPress={() => void composer.steer()}
              >
                Steer this answer
              </Button>
            )}
          </SendButton>
        </div>
      </div>
      <ComposerFooter />
    </form>
  )
}

/** Grows the box with its text, up to the height in the style sheet. Does nothing if the browser supports this itself. */
function fitHeight(box: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return
  box.style.height = 'auto'
  box.style.height = `${box.scrollHeight}px`
}
